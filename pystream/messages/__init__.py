"""Message schemas, which encode and decode one element at a time."""
