"""The methods of a table environment for what functions of the program need on the workers."""

from __future__ import annotations

from pystream.datastream.stream_execution_environment import StreamExecutionEnvironment
from pystream.errors import ArgumentTypeError
from typeinfo.arguments import checks_arguments

__all__ = ["PythonDependencies"]


@checks_arguments(ArgumentTypeError)
class PythonDependencies:
    """Files and packages that functions of the program need on the workers.

    Args:
        program: the environment of the program, which has them.
    """

    def __init__(self, program: StreamExecutionEnvironment) -> None:
        self._program = program

    def add_python_file(self, file_path: str) -> None:
        """Make a Python file, package directory, wheel or zip importable in functions on the workers.

        Its modules are found before those of files added earlier.

        Raises:
            DependencyError: the file does not exist.
        """
        self._program.add_python_file(file_path)

    def set_python_requirements(
        self, requirements_file_path: str, requirements_cache_dir: str | None = None
    ) -> None:
        """Install the packages of a requirements file for the workers.

        Args:
            requirements_file_path: a pip requirements file.
            requirements_cache_dir: a directory of packages to install from without a network.

        Raises:
            DependencyError: the file or directory does not exist.
        """
        self._program.set_python_requirements(requirements_file_path, requirements_cache_dir)

    def add_python_archive(self, archive_path: str, target_dir: str | None = None) -> None:
        """Unpack a zip archive in the workers' directory, where functions open its files by relative path.

        Args:
            archive_path: a zip, jar, whl or egg file.
            target_dir: the directory's name; the archive's file name by default.

        Raises:
            DependencyError: the file is missing or not a zip archive.
        """
        self._program.add_python_archive(archive_path, target_dir)
