"""SQL text in messages has no values of options."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pystream.errors import PyStreamError
from pystream.table import EnvironmentSettings, TableEnvironment
from pystream.table.sql.dialect import Flink
from pystream.table.sql.masking import shown

SECRET = "hun-ter_2"
STATEMENT = f"""CREATE TABLE orders (
  id INT PRIMARY KEY NOT ENFORCED,  -- its password is {SECRET}
  price DECIMAL(10, 2) COMMENT '{SECRET}'
) WITH (
  'connector' = 'jdbc',
  'url' = 'jdbc:postgresql://db/shop?password={SECRET}',
  'username' = 'me', 'password' = '{SECRET}'
)"""


def damaged(text: str) -> Iterator[str]:
    """Yield the text without each of its tokens, with each one twice, and cut off at every character."""
    for token in Flink().tokenize(text):
        before, word, after = text[: token.start], text[token.start : token.end + 1], text[token.end + 1 :]
        yield before + after
        yield f"{before}{word} {word}{after}"
    yield from (text[:end] for end in range(len(text)))
    yield f"{text}; SELECT 1"
    yield text.replace("'password' =", "password =")
    yield text.replace("'password' =", "'password' ==")
    yield text.replace("CREATE", "CRAETE")


def test_no_damaged_statement_shows_a_password() -> None:
    t_env = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    refused = 0
    for text in damaged(STATEMENT):
        for execute in (t_env.execute_sql, t_env.sql_query, t_env.explain_sql):
            message = ""
            try:
                execute(text)
            except PyStreamError as error:
                message = f"{error}{error.__cause__}"
            assert SECRET[:3] not in message, text
            refused += bool(message)
        t_env.execute_sql("DROP TABLE IF EXISTS orders")
    assert refused > 1000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT 'a' FROM t WHERE x = 'b'", "SELECT 'a' FROM t WHERE x = 'b'"),
        ("CREATE TABLE t WITH ('k' = 'v', 'l'='w')", "CREATE TABLE t WITH ('k' = ***, 'l'=***)"),
        (
            "CREATE TABLE t (w AS a - INTERVAL '5' DAY) ('k'='v')",
            "CREATE TABLE t (w AS a - INTERVAL '5' DAY) ('k'=***)",
        ),
        ("CREATE TABLE t ('k' = INTERVAL 'v')", "CREATE TABLE t ('k' = *** ***)"),
        ("CREATE TABLE t (a INT) WITH ('k' 'v', 'l')", "CREATE TABLE t (a INT) WITH (*** ***, ***)"),
        ("SELECT * FROM t /*+ OPTIONS('k'='v') */", "SELECT * FROM t /*+ OPTIONS('k'='v') */"),
        ("CREATE TABLE t -- why\n(a INT)", "CREATE TABLE t ***\n(a INT)"),
        ("WITH ('k' = 'it''s", "WITH (***"),
        ("WITH ('k' = it is, 'l' = 1)", "WITH ('k' = *** ***, 'l' = ***)"),
    ],
)
def test_values_of_options_are_masked(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_a_part_of_a_text_is_shown() -> None:
    text = "CREATE TABLE t (a INT)\nWITH ('k' = 'value') x"
    assert shown(text, 23) == "WITH ('k' = ***) x"
    assert shown(text, 23, 37) == "WITH ('k' = ***"
    assert shown(text, 35, 41) == "***"
    assert shown(text, 0, 12) == "CREATE TABLE"
