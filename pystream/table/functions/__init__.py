"""The functions of SQL, each declared once for all hosts."""
