"""Every kind of job shows its progress."""

from __future__ import annotations

import re

import pytest
from pyspark.sql import SparkSession

from pystream.common import Configuration, Types
from pystream.datastream import StreamExecutionEnvironment
from tests.unit.hosts.test_progress import last_line


@pytest.fixture
def env_with_progress(
    env: StreamExecutionEnvironment, monkeypatch: pytest.MonkeyPatch
) -> StreamExecutionEnvironment:
    """An environment whose jobs show their progress, on a wide terminal."""
    monkeypatch.setenv("COLUMNS", "120")
    env.configure(Configuration.from_dict({"pystream.progress": "on"}))
    return env


def test_a_keyed_job_shows_its_progress(
    env_with_progress: StreamExecutionEnvironment, host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = env_with_progress.from_collection(range(300), Types.LONG()).key_by(
        lambda n: n % 3, Types.LONG()
    )
    with numbers.map(lambda n: n).execute_and_collect("keyed") as results:
        assert len(list(results)) == 300
    output = capsys.readouterr()
    line = last_line(output.err)
    assert line.startswith("keyed: 100%|")
    assert "300 read, 300 received" in line
    assert (re.search(r"\d/\d tasks\]", line) is not None) is (host == "spark")
    assert output.out == ""


def test_a_job_on_a_table_shows_its_progress(
    spark: SparkSession, env_with_progress: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    env_with_progress.from_data_frame(spark.range(500)).map(lambda row: row.id * 2).filter(
        lambda n: n < 20
    ).print()
    env_with_progress.execute("table")
    output = capsys.readouterr()
    line = last_line(output.err)
    assert line.startswith("table: [")
    assert re.search(r"10 received, \d/1 tasks\]", line)
    assert output.out == "".join(f"{2 * n}\n" for n in range(10))


def test_a_job_that_reads_text_shows_its_progress(
    env_with_progress: StreamExecutionEnvironment,
    capsys: pytest.CaptureFixture[str],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("lines") / "lines.txt"
    path.write_text("some words\n" * 100)
    assert len(env_with_progress.read_text_file(str(path)).take(1000)) == 100
    line = last_line(capsys.readouterr().err)
    assert ": 100%|" in line
    assert "100 read" in line
