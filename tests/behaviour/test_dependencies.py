"""Files, archives and packages of a program are available to its functions on the workers."""

from __future__ import annotations

import os
import stat
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pystream.common import Configuration
from pystream.datastream import StreamExecutionEnvironment
from pystream.errors import ConfigurationError, PyStreamError


def result_of(env: StreamExecutionEnvironment, function: Callable[[Any], Any]) -> Any:
    """Return the result of a function on a worker."""
    with env.from_collection([0]).map(function).execute_and_collect() as results:
        (result,) = results
    return result


def zipped(path: Path, files: dict[str, str]) -> str:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return str(path)


def wheel(folder: Path, name: str, text: str) -> None:
    """Write a wheel with one module."""
    info = f"{name}-1.0.dist-info"
    zipped(
        folder / f"{name}-1.0-py3-none-any.whl",
        {
            f"{name}.py": text,
            f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
            f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            f"{info}/RECORD": "",
        },
    )


@pytest.mark.promise("beh:python-file-importable")
@pytest.mark.parametrize("form", ["module", "package", "zip"])
def test_added_python_files_are_importable(
    env: StreamExecutionEnvironment, tmp_path: Path, form: str
) -> None:
    name = f"added_{form}"
    if form == "module":
        path = tmp_path / f"{name}.py"
        path.write_text("answer = 42\n")
    elif form == "package":
        path = tmp_path / name
        path.mkdir()
        (path / "__init__.py").write_text("from .inner import answer\n")
        (path / "inner.py").write_text("answer = 42\n")
    else:
        path = Path(zipped(tmp_path / f"{name}.zip", {f"{name}.py": "answer = 42\n"}))
    env.add_python_file(str(path))

    def answer(_: Any) -> Any:
        import importlib

        return importlib.import_module(name).answer

    assert result_of(env, answer) == 42
    assert name not in sys.modules


def test_a_module_added_again_is_the_new_one(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    def answer(_: Any) -> Any:
        import added_twice  # type: ignore[import-not-found]

        return added_twice.answer

    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "added_twice.py").write_text(f"answer = {number}\n")
        other = StreamExecutionEnvironment.get_execution_environment()
        other.add_python_file(str(folder / "added_twice.py"))
        assert result_of(other, answer) == number


def test_dependencies_of_one_program_are_not_those_of_another(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    (tmp_path / "added_alone.py").write_text("answer = 1\n")

    def found(_: Any) -> bool:
        import importlib.util

        return importlib.util.find_spec("added_alone") is not None

    other = StreamExecutionEnvironment.get_execution_environment()
    other.add_python_file(str(tmp_path / "added_alone.py"))
    assert result_of(other, found)
    assert not result_of(env, found)


@pytest.mark.promise("beh:archive-relative-access", "beh:archive-target-dir")
@pytest.mark.parametrize(("target", "folder"), [("myenv", "myenv"), (None, "data.zip")])
def test_archives_are_unpacked_where_functions_find_them_by_relative_path(
    env: StreamExecutionEnvironment, tmp_path: Path, target: str | None, folder: str
) -> None:
    env.add_python_archive(zipped(tmp_path / "data.zip", {"in/words.txt": "hi"}), target)

    def read(_: Any) -> str:
        with open(f"{folder}/in/words.txt") as words:
            return words.read()

    assert result_of(env, read) == "hi"


@pytest.mark.promise("beh:archive-zip-only")
def test_only_zip_archives_are_accepted(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    import tarfile

    with tarfile.open(tmp_path / "data.tar.gz", "w:gz"):
        pass
    with pytest.raises(PyStreamError, match="zip"):
        env.add_python_archive(str(tmp_path / "data.tar.gz"))
    for extension in ("zip", "jar", "whl", "egg"):
        env.add_python_archive(zipped(tmp_path / f"data.{extension}", {"a": ""}))


@pytest.mark.promise("beh:requirements-offline", "ex:A08")
def test_requirements_are_installed_from_a_directory(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    wheel(cache, "pystream_test_required", "answer = 'installed'\n")
    (tmp_path / "requirements.txt").write_text("pystream-test-required==1.0\n")
    env.set_python_requirements(str(tmp_path / "requirements.txt"), str(cache))

    def answer(_: Any) -> Any:
        import pystream_test_required  # type: ignore[import-not-found]

        return pystream_test_required.answer

    assert result_of(env, answer) == "installed"


def test_requirements_that_cannot_be_installed_are_named(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "requirements.txt").write_text("pystream-test-nowhere==1.0\n")
    env.set_python_requirements(str(tmp_path / "requirements.txt"), str(tmp_path / "cache"))
    with pytest.raises(PyStreamError, match="pystream-test-nowhere"):
        result_of(env, lambda value: value)


@pytest.mark.promise("beh:python-executable-in-archive", "ex:A07")
@pytest.mark.spark_only("the local host has no interpreter but its own")
def test_the_interpreter_may_live_in_an_archive(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    path = tmp_path / "venv.zip"
    with zipfile.ZipFile(path, "w") as archive:
        entry = zipfile.ZipInfo("bin/python")
        entry.external_attr = (stat.S_IFREG | 0o755) << 16
        archive.writestr(entry, f'#!/bin/sh\nIN_ARCHIVE=yes exec {sys.executable} "$@"\n')
    env.add_python_archive(str(path), "venv")
    env.set_python_executable("venv/bin/python")
    assert result_of(env, lambda _: os.environ.get("IN_ARCHIVE")) == "yes"


def test_an_interpreter_that_does_not_exist_is_named(env: StreamExecutionEnvironment) -> None:
    env.set_python_executable("/no/such/python")
    with pytest.raises(PyStreamError, match="/no/such/python"):
        result_of(env, lambda value: value)


@pytest.mark.promise("beh:dataset.python-binary-path")
def test_dependencies_can_be_configured(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    (tmp_path / "added_by_key.py").write_text("answer = 7\n")
    archive = zipped(tmp_path / "data.zip", {"words.txt": "hi"})
    env.configure(
        Configuration.from_dict(
            {
                "python.files": str(tmp_path / "added_by_key.py"),
                "python.archives": f"{archive}#place",
                "python.binary.path": sys.executable,
            }
        )
    )

    def both(_: Any) -> Any:
        import added_by_key  # type: ignore[import-not-found]

        return added_by_key.answer, Path("place/words.txt").read_text()

    assert result_of(env, both) == (7, "hi")


def test_missing_files_are_named_when_they_are_added(env: StreamExecutionEnvironment) -> None:
    for add in (env.add_python_file, env.add_python_archive, env.set_python_requirements):
        with pytest.raises(PyStreamError, match="no-such-thing"):
            add("/no-such-thing")
    with pytest.raises(PyStreamError, match="no-such-thing"):
        env.register_cached_file("/no-such-thing", "name")


@pytest.mark.promise("beh:classpath-protocol")
def test_a_classpath_needs_a_protocol(env: StreamExecutionEnvironment) -> None:
    env.add_classpaths("file:///a.jar", "http://host/b.jar")
    with pytest.raises(ConfigurationError, match=r"protocol.*/c\.jar"):
        env.add_classpaths("/c.jar")
