"""Recording, use and removal of class archives; tests of sessions record a real one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pystream.cli import main
from pystream.doctor import examine
from pystream.errors import PyStreamError
from pystream.hosts.spark import class_archive
from pystream.hosts.spark.class_archive import archive_for, options_for, record
from pystream.hosts.spark.java import Java


def java(home: Path, release: str) -> Java:
    (home / "lib" / "server").mkdir(parents=True, exist_ok=True)
    (home / "lib" / "server" / "classes.jsa").touch()
    (home / "release").write_text(f'JAVA_VERSION="{release}"\n')
    return Java(home, 17, "JAVA_HOME")


@pytest.fixture
def workload(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Replace Spark's workload by one that ends at once, and return its source."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("SPARK_CONF_DIR", raising=False)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(class_archive, "_WORKLOAD", "stand_in")
    source = tmp_path / "stand_in.py"
    source.write_text(
        "import os, pathlib\npathlib.Path(os.environ['PYSTREAM_RECORD_CLASSES']).write_bytes(b'classes')"
    )
    return source


def test_an_archive_is_used_once_it_is_recorded(tmp_path: Path, workload: Path) -> None:
    here = java(tmp_path / "jdk", "17.0.1")
    assert options_for(here) == []
    archive = record(here)
    assert archive.read_bytes() == b"classes"
    assert f"-XX:SharedArchiveFile={archive}" in options_for(here)


def test_warm_up_records_the_archive_that_doctor_recommends(
    tmp_path: Path, workload: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here = java(tmp_path / "jdk", "17.0.1")
    monkeypatch.setattr("pystream.hosts.spark.java.find_java", lambda: here)
    examine()
    assert "ok     Spark starts in half the time after: pystream warm-up\n" in capsys.readouterr().out
    assert main(["warm-up"]) == 0
    archive = archive_for(here)
    assert capsys.readouterr().out == f"Spark starts from {archive}\n"
    examine()
    assert f"ok     Spark starts from its class archive ({archive})\n" in capsys.readouterr().out


def test_warm_up_says_why_it_cannot(
    tmp_path: Path, workload: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    workload.write_text("raise SystemExit('no such table')")
    monkeypatch.setattr("pystream.hosts.spark.java.find_java", lambda: java(tmp_path / "jdk", "17.0.1"))
    assert main(["warm-up"]) == 1
    assert "no such table" in capsys.readouterr().err


def test_an_archive_is_recorded_once(tmp_path: Path, workload: Path) -> None:
    here = java(tmp_path / "jdk", "17.0.1")
    record(here)
    workload.write_text("raise SystemExit('again')")
    assert record(here).exists()


def test_a_workload_that_fails_leaves_no_archive(tmp_path: Path, workload: Path) -> None:
    workload.write_text(workload.read_text() + "\nraise SystemExit('no such table')")
    here = java(tmp_path / "jdk", "17.0.1")
    with pytest.raises(PyStreamError, match="no such table"):
        record(here)
    assert options_for(here) == []


def test_a_java_without_a_default_archive_records_none(tmp_path: Path, workload: Path) -> None:
    here = java(tmp_path / "jdk", "17.0.1")
    (here.home / "lib" / "server" / "classes.jsa").unlink()
    assert options_for(here) == []
    with pytest.raises(PyStreamError, match="has no default class archive"):
        record(here)


def test_each_version_of_java_and_spark_has_its_own_archive(
    tmp_path: Path, workload: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = archive_for(java(tmp_path / "jdk", "17.0.1"))
    updated = archive_for(java(tmp_path / "jdk", "17.0.2"))
    (tmp_path / "spark" / "jars").mkdir(parents=True)
    monkeypatch.setenv("SPARK_HOME", str(tmp_path / "spark"))
    other = archive_for(java(tmp_path / "jdk", "17.0.2"))
    (tmp_path / "spark" / "jars" / "more.jar").touch()
    more = archive_for(java(tmp_path / "jdk", "17.0.2"))
    assert len({first, updated, other, more}) == 4


def test_the_two_most_recently_used_archives_are_kept(tmp_path: Path, workload: Path) -> None:
    javas = [java(tmp_path / name, "17.0.1") for name in "abc"]
    recorded = [record(one) for one in javas[:2]]
    for archive, age in zip(recorded, (200, 100), strict=True):
        os.utime(archive, (archive.stat().st_mtime - age,) * 2)
    options_for(javas[0])  # used again, so that the second is the one not used for longest
    recorded.append(record(javas[2]))
    assert [archive.exists() for archive in recorded] == [True, False, True]


def test_an_installation_with_configuration_files_has_no_archive(
    tmp_path: Path, workload: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.setenv("SPARK_CONF_DIR", str(site))
    here = java(tmp_path / "jdk", "17.0.1")
    record(here)
    (site / "spark-env.sh").touch()
    assert options_for(here) == []
    with pytest.raises(PyStreamError, match=f"{site} is not empty"):
        record(here)
