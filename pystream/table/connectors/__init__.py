"""Connectors of tables, by the names that ``'connector' = …`` gives."""
