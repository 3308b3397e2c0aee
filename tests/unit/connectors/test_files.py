"""What paths mean, and what is found below them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pystream.errors import ConnectorError, SourceError
from pystream.runtime.connectors.files import absolute_location, list_files, local_path, resolve


@pytest.mark.parametrize(
    ("location", "path"),
    [
        ("/data/a b", "/data/a b"),
        ("data/x", "data/x"),
        ("file:///data/a b", "/data/a b"),
        ("file:///data/a%20b", "/data/a%20b"),
        ("file:/data/x", "/data/x"),
        ("FILE:///data/x", "/data/x"),
        ("file://localhost/data/x", "/data/x"),
        ("2020-01-01T00:00/x", "2020-01-01T00:00/x"),
    ],
)
def test_paths_and_file_uris_are_local(location: str, path: str) -> None:
    assert local_path(location) == path


@pytest.mark.parametrize("location", ["s3://bucket/key", "hdfs://host:9000/x", "gs://b/k"])
def test_other_schemes_are_not_local_and_kept_as_they_are(location: str) -> None:
    assert local_path(location) is None
    assert absolute_location(location) == location


def test_a_host_in_a_file_uri_is_refused() -> None:
    with pytest.raises(ConnectorError, match="write file:///data/x"):
        local_path("file://data/x")


def test_relative_paths_become_absolute_where_the_program_runs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert absolute_location("a/../b") == f"{os.getcwd()}/b"
    assert absolute_location(Path("b")) == f"{os.getcwd()}/b"


@pytest.mark.parametrize("location", ["", "  ", None, 5, b"/x"])
def test_what_is_no_path_is_refused(location: str) -> None:
    with pytest.raises(ConnectorError, match="a path must be a str"):
        absolute_location(location)


def test_an_unknown_scheme_is_refused_with_the_uri() -> None:
    with pytest.raises(ConnectorError, match="file system of gopher://host/x"):
        resolve("gopher://host/x")


def test_other_file_systems_are_pyarrows(tmp_path: Path) -> None:
    filesystem, path = resolve("mock:///some/where")
    assert filesystem.type_name == "mock"
    assert path == "some/where"


def test_a_directory_stands_for_the_files_below_in_order_of_names(tmp_path: Path) -> None:
    for name in ("b", "a/2", "a/1", "c/d/x", "_h", ".h", "c/_h/x", "c/.h/x"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    found = [(os.path.relpath(file.path, tmp_path), file.size) for file in list_files(str(tmp_path))]
    assert found == [("a/1", 3), ("a/2", 3), ("b", 1), ("c/d/x", 5)]


def test_a_file_the_program_names_is_found_whatever_it_is_called(tmp_path: Path) -> None:
    hidden = tmp_path / "_data"
    hidden.write_text("x")
    assert [file.path for file in list_files(f"file://{hidden}")] == [str(hidden)]


def test_a_missing_path_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=f"input path {tmp_path}/none does not exist"):
        list_files(f"{tmp_path}/none")


def test_what_is_neither_file_nor_directory_is_an_error(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SourceError, match="neither a file nor a directory"):
        list_files(f"{tmp_path}/pipe")
