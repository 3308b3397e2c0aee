"""SQL data types, and how they relate to the types of streams."""
