"""Run a script or module as ``python`` does, with ``pyflink`` importable and submitted options.

A script of the Jython guide, which defines ``main(factory)``, is loaded as a module, and its ``main`` called.
Such a script and a program of the DataSet API may name packages to import from before their arguments.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import runpy
import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from traceback import walk_tb
from types import ModuleType, TracebackType

import cloudpickle

from pystream import compat
from pystream.dataset.import_names import IMPORT_NAMES as DATASET
from pystream.earlier_flink import earlier_flink_message
from pystream.errors import CheckpointError, PyStreamError
from pystream.jython.import_names import IMPORT_NAMES as JYTHON
from pystream.jython.main_function import defines_main, imports_from
from pystream.plan.dependencies import Dependencies
from pystream.python2 import python2_message
from pystream.settings.submission import ProgramPlanned, submit_options, submit_to_be_planned

__all__ = ["Program", "ProgramError", "is_refusal", "run_program"]

_INTERRUPTED = 130  # as reported by a shell
_FILES = "python.files"
_DATASET_PACKAGE = "flink.plan"


class ProgramError(PyStreamError):
    """A program cannot be started."""


@dataclass(frozen=True, slots=True)
class Program:
    """A script or module to run.

    Attributes:
        name: path of a script, or name of a module.
        is_module: whether it is a module.
        arguments: its arguments in ``sys.argv``. Of a script of one of the older APIs, these are only the
            ones after a dash; those before it are packages, modules and archives to import from.
        has_packages: whether it is a script of one of the older APIs; otherwise its text tells.
        has_main: whether it is a script that must define ``main(factory)``; otherwise its text tells.
    """

    name: str
    is_module: bool
    arguments: tuple[str, ...] = ()
    has_packages: bool = False
    has_main: bool = False


def run_program(program: Program, options: Mapping[str, str], *, plan_only: bool = False) -> int:
    """Run a program in this process, as ``__main__`` or, if it is a script with ``main(factory)``, by that.

    Its execution environments use the options. Jobs that it has started and not waited for go on after its
    end. An exception is shown with the traceback of the program only; the refusal of a job, and an error that
    comes from Python 2 or an earlier Flink, in one line.

    Args:
        program: the script or module.
        options: settings by Flink's keys; the files of ``python.files`` can be imported in the program, too.
        plan_only: whether to end the program instead of running its first job, and print the job's plan.

    Returns:
        The exit code: 0, or 1 after an exception. ``SystemExit`` with another code is passed on.

    Raises:
        ProgramError: the script or module does not exist, or has no job to plan, or the script lacks
            ``main(factory)``.
        DependencyError: a file named in the options does not exist.
    """
    try:
        program = _recognized(program)
    except SyntaxError as error:
        return _report(error.with_traceback(None), program)
    if program.has_packages:
        packages, arguments = _packages(Path(program.name), program.arguments)
        if packages:
            files = [options[_FILES]] if _FILES in options else []
            options = {**options, _FILES: ",".join([*files, *packages])}
        program = replace(program, arguments=arguments)
    dependencies = Dependencies()
    dependencies.configure(options)
    submit_options(options)
    if plan_only:
        submit_to_be_planned()
    compat.install({**DATASET, **JYTHON})
    sys.argv = [program.name, *program.arguments]
    sys.path[0] = os.getcwd() if program.is_module else str(Path(program.name).resolve().parent)
    for file in dependencies.files:
        sys.path[1:1] = [str(file.parent)] if file.suffix == ".py" else [str(file), str(file.parent)]
    try:
        _run(program)
    except (SystemExit, ProgramError):
        raise
    except ProgramPlanned as planned:
        print(planned.plan)
        return 0
    except BaseException as error:  # noqa: BLE001 - shown as the interpreter shows it
        return _report(error, program)
    if plan_only:
        raise ProgramError(f"{program.name} has ended without running a job")
    return 0


def _run(program: Program) -> None:
    """Run a program, and the jobs that it leaves running when it ends without an error."""
    try:
        if program.is_module:
            _check_module(program.name)
            runpy.run_module(program.name, run_name="__main__", alter_sys=True)
        elif program.has_main:
            _call_main(Path(program.name))
        else:
            _check_script(Path(program.name))
            runpy.run_path(program.name, run_name="__main__")
    except SystemExit as end:
        if end.code:
            raise
    if "pystream.hosts.job" in sys.modules:  # otherwise no job was submitted
        from pystream.datastream.environment.execution import wait_for_started_jobs

        wait_for_started_jobs()


def _report(error: BaseException, program: Program) -> int:
    """Show an exception of a program, and return the exit code."""
    if is_refusal(error):
        line: str | None = str(error)
    else:
        line = python2_message(error, program.name) or earlier_flink_message(error)
    if line is not None:
        print(f"pystream: {line}", file=sys.stderr)
        return 1
    traceback = _of_program(error.__traceback__)
    sys.excepthook(type(error), error.with_traceback(traceback), traceback)
    return _INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1


def _recognized(program: Program) -> Program:
    """Return a program with what the text of a script tells about it.

    Raises:
        SyntaxError: the text is not Python.
    """
    module = ast.Module([], []) if program.is_module else _parsed(Path(program.name))
    has_main = program.has_main or defines_main(module)
    has_packages = program.has_packages or has_main or imports_from(module, _DATASET_PACKAGE)
    return replace(program, has_main=has_main, has_packages=has_packages)


def _parsed(script: Path) -> ast.Module:
    """Return the syntax tree of a script; an empty one if it is not there, or not a text."""
    try:
        source = importlib.util.decode_source(script.read_bytes())
    except (OSError, UnicodeError):
        source = ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they are shown when the script is compiled
        return ast.parse("" if "\0" in source else source, str(script))


def _packages(script: Path, arguments: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """Split arguments at the first dash, into paths to import from and arguments of the script.

    Relative paths are those of the working directory, or else of the script's directory.

    Raises:
        ProgramError: a path does not exist.
    """
    end = arguments.index("-") if "-" in arguments else len(arguments)
    packages = []
    for argument in arguments[:end]:
        places = (Path(argument), script.parent / argument)
        found = next((place for place in places if place.exists()), None)
        if found is None:
            raise ProgramError(
                f"package {argument!r} does not exist; arguments of a script of this API follow a dash: "
                f"{script.name} - {argument}"
            )
        packages.append(str(found))
    return packages, tuple(arguments[end + 1 :])


def _call_main(script: Path) -> None:
    """Load a script as a module of its name, and call its ``main`` with an environment factory.

    Raises:
        ProgramError: it does not exist, or has no such function.
    """
    from pystream.jython.environment import PythonEnvironmentFactory

    _check_script(script)
    name = script.stem if script.stem not in sys.modules else f"_{script.stem}"
    module = ModuleType(name)
    module.__file__ = str(script)
    sys.modules[name] = module
    cloudpickle.register_pickle_by_value(module)  # workers may lack the file, and would run it again
    exec(compile(script.read_bytes(), str(script), "exec", dont_inherit=True), vars(module))
    main = getattr(module, "main", None)
    if not callable(main):
        raise ProgramError(f"{str(script)!r} has no main(factory), the function that runs its job")
    main(PythonEnvironmentFactory())


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
