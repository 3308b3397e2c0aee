"""Dependencies of a program: files, Python packages and jars."""

from __future__ import annotations

from pathlib import Path

from pystream.datastream.environment.settings import EnvironmentSettings
from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.plan.dependencies import Dependencies
from pystream.program_warnings import warn_program
from pystream.settings.config_options import ConfigOption
from pystream.settings.config_values import BOOLEAN, MAP, to_text
from pystream.settings.configuration import Configuration
from pystream.settings.options import CACHED_FILES, CLASSPATHS, JARS, QUICK_START, SPARK_PACKAGES
from typeinfo.arguments import checks_arguments

__all__ = ["EnvironmentDependencies"]


@checks_arguments(ArgumentTypeError)
class EnvironmentDependencies(EnvironmentSettings):
    """Files and packages that a program's functions need on the workers.

    Args:
        configuration: initial settings, copied.
    """

    def __init__(self, configuration: Configuration | None = None) -> None:
        self._dependencies = Dependencies()
        super().__init__(configuration)

    def configure(self, configuration: Configuration) -> None:
        """Apply settings given by Flink's keys; leave all others unchanged.

        ``python.files``, ``python.archives``, ``python.requirements``, ``python.executable`` and
        ``pipeline.cached-files`` reach the workers; ``spark.*`` goes to the Spark session.

        Raises:
            ConfigurationError: a value is not allowed.
            DependencyError: a file that is named does not exist.
        """
        super().configure(configuration)
        self._dependencies.configure(configuration.to_dict())
        if configuration.contains(CACHED_FILES):
            self._dependencies.cached_files.clear()
            for entry in configuration.get(CACHED_FILES) or ():
                self.register_cached_file(*_cached_file(entry))

    def add_python_file(self, file_path: str) -> None:
        """Make a Python file, package directory, wheel or zip importable in functions on the workers.

        Its modules are found before those of files added earlier.

        Raises:
            PyStreamError: the file does not exist.
        """
        self._dependencies.add_python_file(file_path)

    def set_python_requirements(
        self, requirements_file_path: str, requirements_cache_dir: str | None = None
    ) -> None:
        """Install the packages of a requirements file for the workers.

        Args:
            requirements_file_path: a pip requirements file.
            requirements_cache_dir: a directory of packages to install from without a network.

        Raises:
            PyStreamError: the file or directory does not exist.
        """
        self._dependencies.set_python_requirements(requirements_file_path, requirements_cache_dir)

    def add_python_archive(self, archive_path: str, target_dir: str | None = None) -> None:
        """Unpack a zip archive in the workers' directory, where functions open its files by relative path.

        Args:
            archive_path: a zip, jar, whl or egg file.
            target_dir: the directory's name; the archive's file name by default.

        Raises:
            PyStreamError: the file is missing or not a zip archive.
        """
        self._dependencies.add_python_archive(archive_path, target_dir)

    def set_python_executable(self, python_exec: str) -> None:
        """Choose the workers' interpreter; a path may lead into an archive."""
        self._dependencies.set_python_executable(python_exec)

    def register_cached_file(self, file_path: str, name: str, executable: bool = False) -> None:
        """Send a file to the workers, where ``RuntimeContext.get_cached_file(name)`` returns its local path.

        Raises:
            PyStreamError: the file does not exist, or the name is taken.
        """
        self._dependencies.register_cached_file(file_path, name, executable)

    def register_cache_file(self, file_path: str, file_name: str, executable: bool = False) -> None:
        """Register a file; the name of `register_cached_file` in Flink's first proposal of this API."""
        self.register_cached_file(file_path, file_name, executable)

    def get_cached_files(self) -> list[tuple[str, str]]:
        """Return the names and paths of the registered files."""
        return [(name, str(file.path)) for name, file in self._dependencies.cached_files.items()]

    def add_jars(self, *jars_path: str) -> None:
        """Add jar files to the Spark session, as ``spark.jars``; effective if it has not been started yet.

        Args:
            jars_path: paths or URLs; a warning is issued for a local file that does not exist.
        """
        for jar in jars_path:
            path = Path(jar.removeprefix("file://"))
            if "://" not in jar.removeprefix("file://") and not path.is_file():
                warn_program(f"add_jars: there is no file {jar}; Spark does without it, or does not start")
        self._append(JARS, jars_path)

    def add_classpaths(self, *classpaths: str) -> None:
        """Add URLs to the class path of Java functions; has no effect.

        Raises:
            ConfigurationError: a URL has no protocol such as ``file://``.
        """
        for url in classpaths:
            if "://" not in url and not url.startswith("file:"):
                raise ConfigurationError(
                    f"a classpath must be a URL with a protocol such as file://, not {url!r}"
                )
        self._append(CLASSPATHS, classpaths)

    def _spark_conf(self) -> dict[str, str]:
        settings = self._configuration.to_dict()
        conf = {key: value for key, value in settings.items() if key.startswith("spark.")}
        conf[QUICK_START.key] = to_text(self._configuration.get(QUICK_START))
        if jars := self._configuration.get(JARS):
            conf["spark.jars"] = ",".join(jars)
        if packages := self._configuration.get(SPARK_PACKAGES):
            conf[SPARK_PACKAGES.key] = ",".join(packages)
        return conf

    def _append(self, option: ConfigOption[list[str] | None], values: tuple[str, ...]) -> None:
        self._configuration.set(option, [*(self._configuration.get(option) or ()), *values])


def _cached_file(entry: str) -> tuple[str, str, bool]:
    """Return the path, the name and the executable flag of an entry such as ``name:a,path:'file:///b'``."""
    try:
        parts = MAP.parse(entry)
        return parts["path"], parts["name"], BOOLEAN.parse(parts.get("executable", "false"))
    except (KeyError, ValueError):
        raise ConfigurationError(
            f"{CACHED_FILES.key}: {entry!r} is not of the form name:NAME,path:'PATH', to which "
            "executable:true may be added after a comma"
        ) from None
