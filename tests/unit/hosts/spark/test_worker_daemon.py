"""The module search path of Spark's workers, and what their garbage collector looks through."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from pystream.hosts.spark.worker_daemon import keeping_modules, without_archive


def test_an_installed_pyspark_is_used_in_place_of_its_archive(tmp_path: Path) -> None:
    installed = tmp_path / "site"
    (installed / "pyspark").mkdir(parents=True)
    (installed / "pyspark" / "__init__.py").touch()
    path = ["/lib/pyspark.zip", "/lib/py4j-src.zip", str(installed)]
    assert without_archive(path) == ["/lib/py4j-src.zip", str(installed)]


def test_the_archive_is_kept_if_pyspark_is_not_installed(tmp_path: Path) -> None:
    path = ["/lib/pyspark.zip", str(tmp_path)]
    assert without_archive(path) == path


class Node:
    """An object that refers to itself."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture
def unfrozen() -> Iterator[None]:
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("unfrozen")
def test_modules_that_a_task_loads_are_ignored_by_the_collector_but_not_its_garbage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left: list[weakref.ref[Node]] = []

    def task(module: str) -> int:
        monkeypatch.setitem(sys.modules, module, ModuleType(module))
        left.append(weakref.ref(Node()))
        return 3

    run = keeping_modules(task)
    assert run("loaded_by_the_first_task") == 3
    assert left[0]() is None
    frozen = gc.get_freeze_count()
    assert not any(each is sys.modules["loaded_by_the_first_task"] for each in gc.get_objects())
    assert run("loaded_by_the_first_task") == 3
    assert gc.get_freeze_count() <= frozen
    gc.collect()
    assert left[1]() is None
    run("loaded_by_a_later_task")
    assert gc.get_freeze_count() > frozen
