"""Values as PyFlink 2.3 prints them that Spark, which has no digits of times in arrays, prints otherwise."""

from __future__ import annotations

import pytest

from pystream.table import StreamTableEnvironment
from pystream.testing import local_environment


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("ARRAY[TIMESTAMP '2024-01-02 03:04:05.600']", "[2024-01-02 03:04:05.600]"),
        ("ARRAY[TO_TIMESTAMP_LTZ(1500, 3)]", "[1970-01-01 00:00:01.500]"),
    ],
)
def test_times_in_arrays_have_the_digits_of_their_type(
    value: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.get_config().set_local_timezone("UTC")
    t_env.execute_sql(f"SELECT {value} AS v").print()
    assert f"| +I | {text:>30} |" in capsys.readouterr().out
