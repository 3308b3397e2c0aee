"""The command ``pystream``: run programs, show plans and savepoints, recover output, check the machine."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pystream import __version__
from pystream.errors import CheckpointError, ConnectorError, DependencyError, PyStreamError
from pystream.script import Program, ProgramError, run_program

__all__ = ["main", "run_plan_script", "run_stream_script"]

_CALLED_WRONGLY = 2


@dataclass(frozen=True, slots=True)
class _Option:
    """An option with one value of ``pystream run`` and ``pystream plan``.

    Attributes:
        flags: its spellings; Flink's first.
        metavar: name of its value in help.
        help: its effect.
        key: Flink's key of the option that it sets.
        convert: checks and converts its value.
    """

    flags: tuple[str, ...]
    metavar: str
    help: str
    key: str = ""
    convert: Callable[[str], Any] = str

    @property
    def name(self) -> str:
        """Return the name of the attribute that holds the value after parsing."""
        return self.flags[0].lstrip("-")


@dataclass(frozen=True, slots=True)
class _Switch:
    """An option without a value of ``pystream run`` and ``pystream plan``.

    Attributes:
        flags: its spellings; Flink's first.
        help: its effect.
        setting: Flink's key of the option that it sets, and the value.
    """

    flags: tuple[str, ...]
    help: str
    setting: tuple[str, str]

    @property
    def name(self) -> str:
        """Return the name of its attribute in the parsed arguments."""
        return self.flags[0].lstrip("-")


def _parallelism(text: str) -> str:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least 1")
    return text


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUE")
    return key.strip(), value.strip()


_SCRIPT = _Option(("-py", "--python"), "SCRIPT", "the script, where it does not follow the options")
_MODULE = _Option(("-pym", "--pyModule", "--pym"), "MODULE", "run this module instead of a script")
_SETTINGS = (
    _Option(
        ("-pyfs", "--pyFiles", "--pyfs"),
        "PATHS",
        "files, packages and archives to import from, separated by commas",
        "python.files",
    ),
    _Option(
        ("-pyarch", "--pyArchives", "--pyarch"),
        "PATHS",
        "zip archives for the workers to unpack, each PATH or PATH#DIRECTORY, separated by commas",
        "python.archives",
    ),
    _Option(
        ("-pyreq", "--pyRequirements", "--pyreq"),
        "FILE[#CACHE]",
        "packages for the workers; CACHE is a directory to install them from without a network",
        "python.requirements",
    ),
    _Option(
        ("-pyexec", "--pyExecutable", "--pyexec"), "PYTHON", "the workers' interpreter", "python.executable"
    ),
    _Option(
        ("-p", "--parallelism"),
        "N",
        "default parallelism of operators",
        "parallelism.default",
        _parallelism,
    ),
)
_SAVEPOINT = _Option(
    ("-s", "--fromSavepoint", "--from-savepoint"),
    "PATH",
    "start an unbounded job from the state in this savepoint",
    "execution.savepoint.path",
)
_ANY_SETTING = _Option(("-D",), "KEY=VALUE", "a setting, by Flink's or Spark's key", convert=_setting)
_SWITCHES = (
    _Switch(("--local",), "run in this process, without Spark", ("pystream.runner", "local")),
    _Switch(
        ("--resume",),
        "resume an unbounded job from the state in its directory",
        ("pystream.resume", "true"),
    ),
    _Switch(
        ("-n", "--allowNonRestoredState", "--allow-non-restored-state"),
        "drop the state of operators that the program no longer has",
        ("execution.savepoint.ignore-unclaimed-state", "true"),
    ),
)
_HELP = ("-h", "--help")
_SCRIPT_USAGE = """\
usage: {command} SCRIPT [PACKAGE ...] [- ARGUMENT ...]

Run {kind}, as `pystream run` does, which has options.
Each PACKAGE is a directory, a .py file or an archive to import from; the script gets each ARGUMENT."""
_WITH_VALUE = (_SCRIPT, _MODULE, _ANY_SETTING, _SAVEPOINT, *_SETTINGS)
_FLAGS = {flag for option in _WITH_VALUE for flag in option.flags}
_SWITCH_FLAGS = {flag for switch in _SWITCHES for flag in switch.flags}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        argv: the arguments; those of this process unless given.

    Returns:
        0, or 1 if the program or a check failed. Called wrongly, it exits with 2.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(prog="pystream", description="Flink's Python programs on Apache Spark.")
    parser.add_argument("--version", action="version", version=f"pystream {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    programs = {
        "run": _add_program(
            commands,
            "run",
            "run a program",
            "Run a program for pystream or, unchanged, for PyFlink: imports of pyflink import pystream.",
        ),
        "plan": _add_program(
            commands,
            "plan",
            "show the plan of a program",
            "Show operators, types and paths of the first job of a program, and end it there.",
        ),
    }
    doctor = commands.add_parser("doctor", help="check the installation", allow_abbrev=False)
    doctor.add_argument("--run", action="store_true", help="start Spark and run a job of two elements, too")
    commands.add_parser(
        "warm-up",
        help="record an archive with which Spark starts in half the time",
        description="Record an archive of Spark's classes in the cache directory of this user (some 190 MB)."
        " Sessions of this Java and this Spark start from it. The local host needs neither.",
        allow_abbrev=False,
    )
    _add_recover(commands)
    savepoint = commands.add_parser(
        "savepoint",
        help="show the content of a savepoint",
        description="Show the operators in a savepoint, with their states, types, keys and sizes.",
        allow_abbrev=False,
    )
    savepoint.add_argument("path", metavar="PATH", help="the directory of the savepoint")
    savepoint.add_argument("--json", action="store_true", help="print its description as JSON")
    if arguments and arguments[0] in programs:
        own, rest = _split_arguments(arguments[1:])
        program = programs[arguments[0]]
        return _run(program, program.parse_args(own), rest, plan_only=arguments[0] == "plan")
    given = parser.parse_args(arguments)
    if given.command == "recover":
        return _recover(given)
    if given.command == "savepoint":
        return _savepoint(given)
    if given.command == "warm-up":
        return _warm_up()
    return _doctor(given)


def run_stream_script(argv: Sequence[str] | None = None) -> int:
    """Run the command ``pyflink-stream.sh`` of the Jython guide, for scripts that define ``main(factory)``.

    Args:
        argv: the arguments; those of this process unless given.

    Returns:
        The exit code, as of ``pystream run``.
    """
    usage = _SCRIPT_USAGE.format(command="pyflink-stream.sh", kind="a script that defines main(factory)")
    return _run_script(argv, usage, has_main=True)


def run_plan_script(argv: Sequence[str] | None = None) -> int:
    """Run the command ``pyflink.sh`` of the DataSet guide, for programs of that API.

    Args:
        argv: the arguments; those of this process unless given.

    Returns:
        The exit code, as of ``pystream run``.
    """
    usage = _SCRIPT_USAGE.format(command="pyflink.sh", kind="a program of the DataSet API")
    return _run_script(argv, usage, has_main=False)


def _run_script(argv: Sequence[str] | None, usage: str, *, has_main: bool) -> int:
    """Run a script with packages and arguments, or print the usage."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0].startswith("-"):
        asked = bool(arguments) and arguments[0] in _HELP
        print(usage, file=sys.stdout if asked else sys.stderr)
        return 0 if asked else _CALLED_WRONGLY
    script, *rest = arguments
    program = Program(script, is_module=False, arguments=tuple(rest), has_packages=True, has_main=has_main)
    return _run_program(program, {})


def _add_recover(commands: Any) -> None:
    recover = commands.add_parser(
        "recover",
        help="complete or roll back jobs that died while they wrote files",
        description="Complete the jobs that died while they published their files, in all directories they "
        "write to, and remove the files of those that died before. Jobs that are alive are left alone.",
        epilog="Exit status: 0 if nothing is in progress any more, 1 if something is, 2 if a path is wrong.",
        allow_abbrev=False,
    )
    recover.add_argument("paths", nargs="+", metavar="PATH", help="a directory that a file sink writes to")
    recover.add_argument("--dry-run", action="store_true", help="show the changes without making them")
    recover.add_argument(
        "--roll-back", action="store_true", help="roll back jobs that could be completed, too"
    )
    recover.add_argument(
        "--force",
        action="store_true",
        help="treat jobs of unknown state, such as those of other machines, as dead; run only one at a time",
    )


def _doctor(given: argparse.Namespace) -> int:
    from pystream.doctor import examine

    return 0 if examine(run_job=given.run) else 1


def _recover(given: argparse.Namespace) -> int:
    from pystream.recover import recover_paths

    try:
        settled = recover_paths(
            given.paths, dry_run=given.dry_run, roll_back=given.roll_back, force=given.force
        )
    except ConnectorError as error:
        print(f"pystream: {error}", file=sys.stderr)
        return _CALLED_WRONGLY
    return 0 if settled else 1


def _savepoint(given: argparse.Namespace) -> int:
    from pystream.savepoint import show_savepoint

    try:
        show_savepoint(given.path, as_json=given.json)
    except (CheckpointError, ConnectorError) as error:
        print(f"pystream: {error}", file=sys.stderr)
        return 1
    return 0


def _warm_up() -> int:
    from pystream.hosts.spark.class_archive import record
    from pystream.hosts.spark.java import find_java

    try:
        print(f"Spark starts from {record(find_java())}")
    except PyStreamError as error:
        print(f"pystream: {error}", file=sys.stderr)
        return 1
    return 0


def _add_program(commands: Any, command: str, help: str, description: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        command,
        help=help,
        usage=f"pystream {command} [OPTIONS] SCRIPT [ARGUMENTS]",
        description=f"{description} Arguments after the script are passed to it.",
        allow_abbrev=False,
    )
    for option in (*_SETTINGS, _SAVEPOINT, _MODULE, _SCRIPT):
        _add(parser, option)
    _add(parser, _ANY_SETTING, action="append", default=[])
    for switch in _SWITCHES:
        parser.add_argument(*switch.flags, dest=switch.name, action="store_true", help=switch.help)
    return parser


def _add(parser: argparse.ArgumentParser, option: _Option, **more: Any) -> None:
    parser.add_argument(
        *option.flags,
        dest=option.name,
        metavar=option.metavar,
        help=option.help,
        type=option.convert,
        **more,
    )


def _split_arguments(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Split arguments at the first positional one, as Flink does, although options may follow it."""
    position = 0
    while position < len(arguments):
        argument = arguments[position]
        if argument in _FLAGS:
            position += 2
        elif (
            argument in _SWITCH_FLAGS
            or _has_value_attached(argument)
            or (position == 0 and argument in _HELP)
        ):
            position += 1
        else:
            break
    return arguments[:position], arguments[position:]


def _has_value_attached(argument: str) -> bool:
    flag, equals, _ = argument.partition("=")
    attached = argument[:2] == "-p" and argument[2:3].isdecimal()
    return argument[:2] == "-D" or attached or (equals == "=" and flag in _FLAGS)


def _run(
    parser: argparse.ArgumentParser, given: argparse.Namespace, rest: list[str], *, plan_only: bool
) -> int:
    script, module = vars(given)[_SCRIPT.name], vars(given)[_MODULE.name]
    if script is not None and module is not None:
        parser.error("a script and a module cannot both be run")
    named = script or module
    if named is None:
        if not rest:
            parser.error("which script?")
        if rest[0].startswith("-"):
            parser.error(f"unknown option {rest[0]}")
        named, *rest = rest
    options = dict(vars(given)[_ANY_SETTING.name])
    values = {option.key: vars(given)[option.name] for option in (*_SETTINGS, _SAVEPOINT)}
    options |= {key: value for key, value in values.items() if value is not None}
    options |= dict(switch.setting for switch in _SWITCHES if vars(given)[switch.name])
    if given.resume and vars(given)[_SAVEPOINT.name] is not None:
        parser.error("a job either resumes or starts from a savepoint")
    return _run_program(Program(named, module is not None, tuple(rest)), options, plan_only=plan_only)


def _run_program(program: Program, options: Mapping[str, str], *, plan_only: bool = False) -> int:
    try:
        return run_program(program, options, plan_only=plan_only)
    except (ProgramError, DependencyError) as error:
        print(f"pystream: {error}", file=sys.stderr)
        return _CALLED_WRONGLY
