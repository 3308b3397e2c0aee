"""Statements whose results differ from Flink's on purpose, by their first words, with the reason."""

from __future__ import annotations

DIFFERENT = {
    "SHOW CREATE VIEW": "queries are shown as they are written, with the full names of tables",
    "CREATE OR REPLACE VIEW": "Flink refuses it where there is a view of that name",
    "CREATE TABLE p (a INT, b INT) DISTRIBUTED": "no connector distributes rows by buckets",
    "CREATE TABLE k (a INT, b AS nothing": "expressions are checked when the table is read",
    "SET 'table.local-time-zone'": "SET is for Flink's SQL client, and refused by execute_sql",
    "SET 'my.key'": "likewise",
    "RESET": "likewise",
    "SHOW CREATE TABLE p": "its table was refused",
}
