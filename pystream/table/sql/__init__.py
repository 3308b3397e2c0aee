"""Flink SQL: its dialect, and the statements that a program may execute."""
