"""Random calls of the public API with wrong arguments, statements, files and functions."""
