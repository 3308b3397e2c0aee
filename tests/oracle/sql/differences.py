"""The deliberate differences of SQL from Flink: for each reason, the queries, and whether they fail here."""

from __future__ import annotations

ERROR = "error"
ROWS = "rows"

DIFFERENCES: dict[str, dict[str, str]] = {
    "A number that does not fit its type fails the job; it never wraps around.": {
        "casts::overflow": ERROR,
        "casts::overflow_of_sum": ERROR,
        "edges::bigint_to_int": ERROR,
        "edges::decimal_to_tinyint": ERROR,
        "edges::great_double_to_decimal": ERROR,
        "edges::great_doubles_to_bigint": ERROR,
        "edges::great_doubles_to_int": ERROR,
        "edges::not_a_number_to_int": ERROR,
        "edges::overflow_of_absolute": ERROR,
        "edges::overflow_of_cast_to_decimal": ERROR,
        "edges::overflow_of_decimals": ERROR,
        "edges::overflow_of_difference": ERROR,
        "edges::overflow_of_negation": ERROR,
        "edges::overflow_of_product": ERROR,
        "edges::overflow_of_smallint": ERROR,
        "edges::overflow_of_tinyint": ERROR,
        "edges::try_cast_of_great_numbers": ROWS,
    },
    "DISTINCT of a function with OVER is computed, as in streaming mode.": {
        "windows::over_distinct": ROWS,
    },
    "Spark has no such function, or none with the same result; the error names it.": {
        "joins::any_and_all": ERROR,
    },
    "FLOAT and DOUBLE give DOUBLE, in any order.": {
        "expressions::float_and_double": ROWS,
    },
    "Whether rows differ is not known if their values differ only where one is null.": {
        "expressions::unequal_rows_with_nulls": ROWS,
    },
    "NULL in VALUES has the type of the other rows.": {
        "expressions::values_with_null": ROWS,
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
    "Rows of equal order have the same CUME_DIST.": {
        "windows::ranks": ROWS,
    },
    "LEAD looks ahead, and the default of LAG and LEAD stands for rows that are not there, not for nulls.": {
        "windows::leads_with_defaults": ROWS,
        "windows::over_expressions": ROWS,
    },
    "What Flink's batch mode does not support, or fails in, has a result.": {
        "aggregates::having_of_a_correlated_subquery": ROWS,
        "windows::over_range": ROWS,
        "windows::session": ROWS,
        "windows::session_with_key": ROWS,
    },
}

ONLY_IN_SPARK: dict[str, dict[str, str]] = {
    "In Spark, NaN equals itself.": {
        "edges::not_a_number": ROWS,
        "words::not_a_number": ROWS,
    },
    "Whether a value is one of a subquery is false in Spark where it is not known, outside of WHERE.": {
        "subqueries::in_as_a_value": ROWS,
    },
    "Spark ignores the sign of zero.": {
        "edges::floats_of_many_sizes": ROWS,
        "edges::trigonometry": ROWS,
    },
    "Spark's LOWER knows the form of a sigma at the end of a word.": {
        "words::cases": ROWS,
    },
    "Spark reads text as numbers, truth values and times in other ways where it is not in the usual form.": {
        "times::times_and_text": ROWS,
        "words::other_booleans": ROWS,
        "words::to_dates": ROWS,
        "words::to_integers": ROWS,
        "words::to_timestamps": ROWS,
    },
}
"""The differences of queries that Spark computes, which expressions evaluated in Python do not have."""

EXPECTED = {query: outcome for outcomes in DIFFERENCES.values() for query, outcome in outcomes.items()}
"""Whether each query that differs fails here, by its id."""

EXPECTED_IN_SPARK = EXPECTED | {
    query: outcome for outcomes in ONLY_IN_SPARK.values() for query, outcome in outcomes.items()
}
"""The same for queries that Spark computes."""

ONLY_ON_LOCAL_HOST: dict[str, dict[str, str]] = {
    "Flink replaces the comparison of a value with itself by true, though NaN is not equal to itself.": {
        "edges::not_a_number": ROWS,
    },
}
"""The differences of queries that the local host runs."""

EXPECTED_ON_LOCAL_HOST = EXPECTED | {
    query: outcome for outcomes in ONLY_ON_LOCAL_HOST.values() for query, outcome in outcomes.items()
}
"""Whether each query that differs on the local host fails there, by its id."""

NOT_ON_LOCAL_HOST = frozenset(
    (
        "collections::unnest_in_lateral",
        "expressions::a_row_equal_to_one_of_values",
        "expressions::equal_rows_in_rows",
        "times::to_timestamp_ltz_of_text",
    )
)
"""The queries that the local host does not run; an error says so when they are made."""
