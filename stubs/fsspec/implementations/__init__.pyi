"""File systems in Python."""
