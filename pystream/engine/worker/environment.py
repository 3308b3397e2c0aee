"""WorkerEnvironment: the importable files and the working directory of user functions on a worker."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass

__all__ = ["WorkerEnvironment", "activate"]


@dataclass(frozen=True, slots=True)
class WorkerEnvironment:
    """The locations of a job's files on a worker.

    Attributes:
        python_path: entries to put in front of ``sys.path``, in order.
        working_directory: the base of relative paths, or ``None`` to leave it unchanged.
        driver_path: entries of the driver's ``sys.path`` to append to the worker's.
        import_names: the modules of older APIs that functions may import, besides ``pyflink``; ``None`` if
            they may import neither.
    """

    python_path: tuple[str, ...] = ()
    working_directory: str | None = None
    driver_path: tuple[str, ...] = ()
    import_names: Mapping[str, Mapping[str, str]] | None = None


@contextmanager
def activate(environment: WorkerEnvironment) -> Iterator[None]:
    """Activate an environment for one task, and restore the previous state afterwards.

    As workers are reused by other jobs, modules imported from the environment are unloaded.
    """
    directory_before, known = os.getcwd(), set(sys.path)
    appended = [entry for entry in environment.driver_path if entry not in known]
    sys.path[:0] = environment.python_path
    sys.path += appended
    if environment.working_directory is not None:
        os.chdir(environment.working_directory)
    try:
        yield
    finally:
        for entry in (*environment.python_path, *appended):
            with suppress(ValueError):  # the functions have removed it
                sys.path.remove(entry)
        os.chdir(directory_before)
        if environment.python_path:
            _forget_modules(environment.python_path)


def _forget_modules(python_path: tuple[str, ...]) -> None:
    for name, module in list(sys.modules.items()):
        origin = getattr(module, "__file__", None) or next(iter(getattr(module, "__path__", ())), "")
        if origin.startswith(python_path):
            del sys.modules[name]
