"""The module search path of Spark's workers."""

from __future__ import annotations

from pathlib import Path

from pystream.hosts.spark.worker_daemon import without_archive


def test_an_installed_pyspark_is_used_in_place_of_its_archive(tmp_path: Path) -> None:
    installed = tmp_path / "site"
    (installed / "pyspark").mkdir(parents=True)
    (installed / "pyspark" / "__init__.py").touch()
    path = ["/lib/pyspark.zip", "/lib/py4j-src.zip", str(installed)]
    assert without_archive(path) == ["/lib/py4j-src.zip", str(installed)]


def test_the_archive_is_kept_if_pyspark_is_not_installed(tmp_path: Path) -> None:
    path = ["/lib/pyspark.zip", str(tmp_path)]
    assert without_archive(path) == path
