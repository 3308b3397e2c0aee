"""Where things are kept for the next program of the same user."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from pystream.hosts.spark.java import user_cache


def test_the_configured_cache_directory_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert user_cache() == tmp_path / "cache" / "pystream"
    assert user_cache().is_dir()


def test_a_private_temporary_directory_stands_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert user_cache().parent == tmp_path
    assert user_cache().stat().st_mode & 0o777 == 0o700


def test_a_temporary_directory_of_someone_else_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    guessed = user_cache()
    monkeypatch.setattr(os, "getuid", lambda: guessed.stat().st_uid + 1)
    (tmp_path / f"pystream-cache-{guessed.stat().st_uid + 1}").mkdir()
    assert user_cache() not in (guessed, tmp_path / f"pystream-cache-{guessed.stat().st_uid + 1}")
