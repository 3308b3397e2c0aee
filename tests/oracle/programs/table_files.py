"""What tables of files read."""

from __future__ import annotations

from pystream.table import StreamTableEnvironment

CASES = {
    "csv_boolean_of_other_text": ("csv", "b BOOLEAN", "yes\n", ""),
    "csv_decimal_of_too_many_digits": ("csv", "d DECIMAL(5, 2)", "12345.5\n", ""),
    "csv_decimal_of_more_digits_behind_the_point": ("csv", "d DECIMAL(5, 2)", "1.555\n", ""),
    "csv_blanks_after_a_quote": ("csv", "s STRING, n INT", '"a"  ,1\n', ""),
    "csv_byte_order_mark": ("csv", "s STRING", "\ufeffa\n", ""),
    "csv_last_of_february": ("csv", "d DATE", "2023-02-30\n", ""),
    "csv_hour_24": ("csv", "t TIMESTAMP(3)", "2023-01-01 24:00:00\n", ""),
    "csv_great_double": ("csv", "d DOUBLE", "1e999\n", ""),
    "csv_null_literal_of_an_array": ("csv", "a ARRAY<STRING>", "-\n", ", 'csv.null-literal' = '-'"),
    "csv_record_that_cannot_be_read": ("csv", "n INT", "1\nx\n", ""),
    "json_fraction_of_an_integer": ("json", "n INT", '{"n": 1.5}\n', ""),
    "json_boolean_of_other_text": ("json", "b BOOLEAN", '{"b": "yes"}\n', ""),
    "json_map_of_an_array": ("json", "m MAP<STRING, INT>", '{"m": []}\n', ""),
    "json_last_of_february": ("json", "d DATE", '{"d": "2023-02-30"}\n', ""),
    "json_fraction_of_a_time": ("json", "t TIME(3)", '{"t": "01:02:03.456"}\n', ""),
    "json_great_double": ("json", "d DOUBLE", '{"d": 1e999}\n', ""),
}


def rows(env, tmp, case):
    format, columns, text, options = case
    path = tmp / "part"
    path.write_text(text, encoding="utf-8")
    t_env = StreamTableEnvironment.create(env)
    t_env.execute_sql(
        f"CREATE TABLE t ({columns}) WITH ('connector' = 'filesystem', 'path' = '{path}', "
        f"'format' = '{format}'{options})"
    )
    with t_env.execute_sql("SELECT * FROM t").collect() as found:
        return [str(tuple(row)) if hasattr(row, "__iter__") else str(row) for row in found]
