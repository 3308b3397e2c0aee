"""Run a script or module as ``python`` does, with ``pyflink`` importable and submitted options."""

from __future__ import annotations

import importlib.util
import os
import runpy
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from traceback import walk_tb
from types import TracebackType

from pystream import compat
from pystream.errors import CheckpointError, PyStreamError
from pystream.plan.dependencies import Dependencies
from pystream.settings.submission import ProgramPlanned, submit_options, submit_to_be_planned

__all__ = ["Program", "ProgramError", "is_refusal", "run_program"]

_INTERRUPTED = 130  # as reported by a shell


class ProgramError(PyStreamError):
    """A program cannot be started."""


@dataclass(frozen=True, slots=True)
class Program:
    """A script or module to run.

    Attributes:
        name: path of a script, or name of a module.
        is_module: whether it is a module.
        arguments: its arguments in ``sys.argv``.
    """

    name: str
    is_module: bool
    arguments: tuple[str, ...] = ()


def run_program(program: Program, options: Mapping[str, str], *, plan_only: bool = False) -> int:
    """Run a program in this process, as ``__main__``.

    Its execution environments use the options. An exception is shown with the traceback of the program
    only, and the refusal of a job by its message.

    Args:
        program: the script or module.
        options: settings by Flink's keys; the files of ``python.files`` can be imported in the program, too.
        plan_only: whether to end the program instead of running its first job, and print the job's plan.

    Returns:
        The exit code: 0, or 1 after an exception. ``SystemExit`` is passed on.

    Raises:
        ProgramError: the script or module does not exist, or has no job to plan.
        DependencyError: a file named in the options does not exist.
    """
    dependencies = Dependencies()
    dependencies.configure(options)
    submit_options(options)
    if plan_only:
        submit_to_be_planned()
    compat.install()
    sys.argv = [program.name, *program.arguments]
    sys.path[0] = os.getcwd() if program.is_module else str(Path(program.name).resolve().parent)
    for file in dependencies.files:
        sys.path[1:1] = [str(file.parent)] if file.suffix == ".py" else [str(file), str(file.parent)]
    try:
        if program.is_module:
            _check_module(program.name)
            runpy.run_module(program.name, run_name="__main__", alter_sys=True)
        else:
            _check_script(Path(program.name))
            runpy.run_path(program.name, run_name="__main__")
    except (SystemExit, ProgramError):
        raise
    except ProgramPlanned as planned:
        print(planned.plan)
        return 0
    except BaseException as error:  # noqa: BLE001 - shown as the interpreter shows it
        if is_refusal(error):
            print(f"pystream: {error}", file=sys.stderr)
            return 1
        traceback = _of_program(error.__traceback__)
        sys.excepthook(type(error), error.with_traceback(traceback), traceback)
        return _INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1
    if plan_only:
        raise ProgramError(f"{program.name} has ended without running a job")
    return 0


def _check_script(script: Path) -> None:
    if script.is_dir():
        raise ProgramError(f"{str(script)!r} is a directory, not a script")
    if not script.exists():
        raise ProgramError(f"script {str(script)!r} does not exist")


def _check_module(name: str) -> None:
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        spec = None
    if spec is None:
        raise ProgramError(f"module {name!r} is neither in {sys.path[0]} nor installed")
    if spec.submodule_search_locations is not None and importlib.util.find_spec(f"{name}.__main__") is None:
        raise ProgramError(f"module {name!r} is a package without a module {name}.__main__ to run")


def is_refusal(error: BaseException) -> bool:
    """Return whether a job was refused for its state or settings, inputs or outputs, before it started."""
    if not isinstance(error, PyStreamError):
        return False
    if isinstance(error, CheckpointError):
        return True
    from pystream.hosts.job import Job  # known only where a job was submitted

    frames = (frame for frame, _ in walk_tb(error.__traceback__))
    return any(frame.f_code is Job.submit.__code__ for frame in frames)


def _of_program(traceback: TracebackType | None) -> TracebackType | None:
    """Remove the frames above the program's first one."""
    while traceback is not None and traceback.tb_frame.f_globals.get("__name__") in (__name__, "runpy"):
        traceback = traceback.tb_next
    return traceback
