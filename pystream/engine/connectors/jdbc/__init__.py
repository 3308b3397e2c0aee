"""Relational databases: reading by queries, writing by statements, through their Python clients."""
