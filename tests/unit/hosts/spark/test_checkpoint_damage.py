"""Damage to Spark's checkpoint is found, and named, when Spark fails."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from pystream.hosts.spark.checkpoint_damage import checkpoint_damage

CONTENT = bytes(range(256)) * 5


@pytest.fixture
def changelog(tmp_path: Path) -> Path:
    """A file of state with its checksums, beside what a killed process leaves."""
    directory = tmp_path / "state" / "0"
    directory.mkdir(parents=True)
    (directory / "7.changelog").write_bytes(CONTENT)
    sums = (zlib.crc32(CONTENT[at : at + 512]).to_bytes(4, "big") for at in range(0, len(CONTENT), 512))
    (directory / ".7.changelog.crc").write_bytes(b"crc\0\0\0\2\0" + b"".join(sums))
    (directory / ".8.changelog.tmp").touch()
    (directory / "6.changelog").write_bytes(b"of a file system without checksums")
    return directory / "7.changelog"


def message(directory: Path, text: str) -> str:
    return str(checkpoint_damage("sums", str(directory), text) or "")


def test_another_failure_is_not_one_of_the_checkpoint(tmp_path: Path, changelog: Path) -> None:
    assert message(tmp_path, "java.lang.OutOfMemoryError") == ""


@pytest.mark.parametrize("content", [b"", CONTENT[:700], CONTENT[:-1] + b"\0"])
def test_a_damaged_file_is_named_with_the_remedies(tmp_path: Path, changelog: Path, content: bytes) -> None:
    changelog.write_bytes(content)
    found = message(tmp_path, "java.io.EOFException")
    assert f"job 'sums' cannot resume from Spark's checkpoint {tmp_path}: {changelog} is damaged;" in found
    assert "start the job from a savepoint" in found


def test_a_missing_file_is_named(tmp_path: Path, changelog: Path) -> None:
    text = f"java.io.FileNotFoundException: File file:{changelog} does not exist\n\tat x"
    assert f"{changelog} is missing;" in message(tmp_path, text)


def test_state_that_cannot_be_read_names_the_directory(tmp_path: Path, changelog: Path) -> None:
    text = "[CANNOT_LOAD_STATE_STORE.UNCATEGORIZED] An error\nCaused by: java.lang.NullPointerException"
    assert "a file in it is missing or damaged (NullPointerException)" in message(tmp_path, text)
