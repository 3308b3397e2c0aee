"""Descriptions of savepoints, and the command that shows them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pystream.cli import main
from pystream.errors import CheckpointError
from pystream.hosts.unbounded.identity import OperatorIdentity, StateInfo
from pystream.hosts.unbounded.savepoint import METADATA, OperatorState, SavepointMetadata

SOURCE = OperatorState(
    OperatorIdentity("lines", "Lines", "Source", 0, 2, 128, has_state=True), 1, 0, None, 312
)
COUNT = OperatorState(
    OperatorIdentity(
        "counts",
        "Counts",
        "KeyedProcess",
        1,
        2,
        128,
        "STRING",
        True,
        (StateInfo("n", "value", "LONG"), StateInfo("latest", "list", "ROW(w: X)")),
    ),
    2,
    97,
    1000,
    5 << 20,
)
SAVEPOINT = SavepointMetadata("0123abcd", "wörds", "2026-11-24T14:00:00+00:00", 17, (SOURCE, COUNT), ())


TABLE = """\
job 'wörds' (0123abcd), 2026-11-24T14:00:00+00:00, after epoch 17
5.0 MiB of state

uid     operator  kind          parallelism  keys of type  state   kind   type       key groups  keys     size
lines   Lines     Source                  2                                                              312 B
counts  Counts    KeyedProcess            2  STRING        n       value  LONG        97 of 128  1000  5.0 MiB
                                                           latest  list   ROW(w: X)
"""


def test_a_description_is_read_as_it_was_written(tmp_path: Path) -> None:
    SAVEPOINT.write(str(tmp_path))
    for location in (tmp_path, f"{tmp_path}/", f"file://{tmp_path}", tmp_path / METADATA):
        assert SavepointMetadata.read(str(location)) == SAVEPOINT
    assert json.loads((tmp_path / METADATA).read_text())["format"] == 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "incomplete: it has no file _metadata"),
        ("", "damaged"),
        ("[]", "damaged"),
        ('{"format": 3}', "damaged"),
        ('{"format": 9}', "format 9, but this version of pystream reads format 3"),
    ],
)
def test_an_unusable_savepoint(tmp_path: Path, content: str | None, message: str) -> None:
    (tmp_path / "counts").mkdir()
    if content is not None:
        (tmp_path / METADATA).write_text(content)
    with pytest.raises(CheckpointError, match=rf"savepoint {tmp_path} .*{message}"):
        SavepointMetadata.read(str(tmp_path))


def test_a_missing_savepoint(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"savepoint .*/no does not exist"):
        SavepointMetadata.read(str(tmp_path / "no"))


def test_a_savepoint_is_shown_as_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    SAVEPOINT.write(str(tmp_path))
    assert main(["savepoint", str(tmp_path)]) == 0
    assert capsys.readouterr().out == TABLE


def test_a_savepoint_is_shown_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    SAVEPOINT.write(str(tmp_path))
    assert main(["savepoint", str(tmp_path), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["operators"][1]["operator"]["states"][0] == {"name": "n", "kind": "value", "type": "LONG"}


def test_a_missing_savepoint_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["savepoint", str(tmp_path / "no")]) == 1
    assert capsys.readouterr().err == f"pystream: savepoint {tmp_path}/no does not exist\n"
