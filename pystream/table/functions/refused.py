"""The functions of Flink that queries cannot call, and why."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["REFUSED"]

_BITMAPS = """
    AND ANDNOT AND_AGG AND_CARDINALITY_AGG BUILD BUILD_AGG BUILD_CARDINALITY_AGG CARDINALITY FROM_BYTES
    OR OR_AGG OR_CARDINALITY_AGG TO_ARRAY TO_BYTES TO_STRING XOR XOR_AGG XOR_CARDINALITY_AGG
"""

REFUSED: Mapping[str, str] = {
    **dict.fromkeys(
        (f"BITMAP_{name}" for name in _BITMAPS.split()),
        "there is no type BITMAP; keep the numbers in an ARRAY<INT>",
    ),
    **dict.fromkeys(
        ("FROM_CHANGELOG", "TO_CHANGELOG"),
        "use from_changelog and to_changelog of the table",
    ),
    "ML_PREDICT": "models in catalogs are not called; call a model in a function of the program",
    **dict.fromkeys(
        ("OBJECT_OF", "OBJECT_UPDATE"), "there are no structured types; make a row of the values by ROW(…)"
    ),
    **dict.fromkeys(
        ("PARSE_JSON", "TRY_PARSE_JSON"),
        "there is no type VARIANT; use JSON_VALUE and JSON_QUERY",
    ),
    "SOURCE_WATERMARK": "a source has no watermarks of its own; write the expression of WATERMARK FOR",
    "TYPEOF": "the schema of a table has the types of its columns; use DESCRIBE or print_schema",
}
"""Why functions are refused, with what to use instead, by name."""
