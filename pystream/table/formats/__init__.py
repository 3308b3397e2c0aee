"""Formats of the messages that rows of tables are, by the names that ``'format' = …`` gives."""
