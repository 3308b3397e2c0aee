"""The deliberate differences of SQL from Flink: for each reason, the queries, and whether they fail here."""

from __future__ import annotations

ERROR = "error"
ROWS = "rows"

DIFFERENCES: dict[str, dict[str, str]] = {
    "A number that does not fit its type fails the job; it never wraps around.": {
        "casts::overflow": ERROR,
        "casts::overflow_of_sum": ERROR,
    },
    "Spark has no such function, or none with the same result; the error names it.": {
        "aggregates::bit_aggregates": ERROR,
        "aggregates::single_value": ERROR,
        "casts::collections_to_text": ERROR,
        "collections::collect": ERROR,
        "collections::element": ERROR,
        "joins::any_and_all": ERROR,
        "strings::json_query": ERROR,
        "strings::json_values": ERROR,
        "strings::similar_to": ERROR,
        "times::overlaps": ERROR,
    },
    "FLOAT and DOUBLE give DOUBLE, in any order.": {
        "expressions::float_and_double": ROWS,
    },
    "The fields of a row are named one by one.": {
        "collections::row_field_star": ERROR,
    },
    "Windows are functions on tables; those in GROUP BY are not supported.": {
        "windows::grouped_windows": ERROR,
    },
    "The minimum of no text is null, not empty.": {
        "aggregates::of_nothing": ROWS,
    },
    "Fractions of seconds before 1970 are cut like those after it.": {
        "casts::fractions_before_1970": ROWS,
    },
    "A value that starts a unit is its own CEIL.": {
        "times::ceil_of_starts": ROWS,
    },
    "Months between times are whole months.": {
        "times::timestampdiff_in_months": ROWS,
    },
    "Rows of equal order have the same CUME_DIST.": {
        "windows::ranks": ROWS,
    },
    "What Flink's batch mode does not support, or fails in, has a result.": {
        "windows::over_range": ROWS,
        "windows::session": ROWS,
        "windows::session_with_key": ROWS,
    },
}

EXPECTED = {query: outcome for outcomes in DIFFERENCES.values() for query, outcome in outcomes.items()}
"""Whether each query that differs fails here, by its id."""
