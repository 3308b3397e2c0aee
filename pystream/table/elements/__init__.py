"""Elements of the program as rows of a table: their types, their checks and their values."""
