"""``pystream doctor`` on sound and on broken installations."""

from __future__ import annotations

import tempfile
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from pystream.doctor import PACKAGES, examine
from pystream.hosts.spark import java
from pystream.hosts.spark.java import Java, JavaNotFoundError

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"


def wrong_lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line for line in capsys.readouterr().out.splitlines() if not line.startswith("ok     ")]


def test_this_installation_is_sound(capsys: pytest.CaptureFixture[str]) -> None:
    assert examine()
    said = capsys.readouterr().out
    assert f"ok     pyspark {metadata.version('pyspark')}\n" in said
    assert "ok     Java " in said
    assert "WRONG" not in said


def test_the_packages_are_the_declared_dependencies() -> None:
    declared = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]
    assert {package.requirement for package in PACKAGES} == set(declared)


@pytest.mark.parametrize(
    ("name", "version", "remedy"),
    [
        ("pandas", "3.0.1", 'pip install "pandas>=2.2,<3"'),
        ("pandas", "2.1.4", 'pip install "pandas>=2.2,<3"'),
        ("pyspark", "4.10.0", 'pip install "pyspark>=4.3,<4.4"'),
        ("pyarrow", None, 'pip install "pyarrow>=18"'),
    ],
)
def test_an_unsupported_package_is_named_with_its_remedy(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    version: str | None,
    remedy: str,
) -> None:
    installed = metadata.version

    def pretended(asked: str) -> str:
        if asked == name and version is None:
            raise metadata.PackageNotFoundError(name)
        return version if asked == name and version is not None else installed(asked)

    monkeypatch.setattr(metadata, "version", pretended)
    assert not examine()
    (line,) = wrong_lines(capsys)
    assert line.startswith(f"WRONG  {name} ")
    assert (version or "not installed") in line
    assert line.endswith(remedy)


def test_a_spark_of_another_version_is_wrong(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "jars").mkdir()
    (tmp_path / "jars" / "spark-core_2.13-3.5.1.jar").touch()
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    assert not examine()
    (line,) = wrong_lines(capsys)
    assert "Spark 3.5.1" in line
    assert line.endswith("unset it")


def test_an_interpreter_that_does_not_exist_is_wrong(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYSPARK_PYTHON", "/nonexistent/python")
    assert not examine()
    (line,) = wrong_lines(capsys)
    assert "PYSPARK_PYTHON=/nonexistent/python does not exist" in line


def test_a_missing_temporary_directory_is_wrong(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/nonexistent")
    assert not examine()
    (line,) = wrong_lines(capsys)
    assert line.endswith("set TMPDIR to one that is")


def test_only_spark_needs_java(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def not_found() -> Java:
        raise JavaNotFoundError("Spark needs Java")

    monkeypatch.setattr(java, "find_java", not_found)
    assert not examine()
    output = capsys.readouterr().out
    (line,) = (line for line in output.splitlines() if line.startswith("WRONG"))
    assert line == "WRONG  Spark needs Java"
    assert "ok     programs run without Java on the local host: pystream run --local SCRIPT\n" in output


def test_client_libraries_of_connectors_are_listed_by_their_extras(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    requirements = [
        "pyspark<4.4,>=4.3",
        "pyarrow>=18; extra == 'there'",
        "no-such-library>=1; extra == 'missing'",
        'pystream-spark[there]; extra == "missing"',
        "pytest>=8; extra == 'dev'",
    ]
    monkeypatch.setattr(metadata, "requires", lambda name: requirements)
    assert examine()
    said = capsys.readouterr().out
    assert "connectors: there; not missing: pip install 'pystream-spark[missing]'\n" in said


def test_a_spark_package_is_listed_with_its_coordinate(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    version = metadata.version("pyspark")
    coordinate = f"org.apache.spark:spark-sql-kafka-0-10_2.13:{version}"
    assert examine()
    assert f"Spark package kafka: {coordinate} or the release before, resolved on" in capsys.readouterr().out
    record = tmp_path / "pystream" / "packages" / coordinate.replace(":", "+")
    record.parent.mkdir(parents=True)
    record.write_text(str(PYPROJECT))
    assert examine()
    assert f"Spark package kafka: {coordinate}, resolved\n" in capsys.readouterr().out
