"""Read the settings in a Flink configuration directory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pystream.errors import ConfigurationError
from pystream.settings.config_values import to_text
from pystream.settings.configuration import Configuration

if TYPE_CHECKING:
    import yaml

__all__ = ["load_configuration"]

_DIRECTORY_VARIABLE = "FLINK_CONF_DIR"


def load_configuration(directory: str | os.PathLike[str] | None = None) -> Configuration:
    """Read ``flink-conf.yaml`` or, if it does not exist, ``config.yaml``.

    The former has one ``key: value`` per line, the latter is YAML whose nested keys are joined with dots.
    Mirrors ``org.apache.flink.configuration.GlobalConfiguration``.

    Args:
        directory: the directory to search; by default that of the environment variable ``FLINK_CONF_DIR``.

    Returns:
        The settings, all as text; empty without a directory or if it has neither file.

    Raises:
        ConfigurationError: the directory does not exist, or a file is malformed.
    """
    place = directory or os.environ.get(_DIRECTORY_VARIABLE)
    if not place:
        return Configuration()
    folder = Path(place)
    if not folder.is_dir():
        where = "" if directory else f" (from the environment variable {_DIRECTORY_VARIABLE})"
        raise ConfigurationError(f"the configuration directory {str(folder)!r}{where} does not exist")
    for name, read in (("flink-conf.yaml", _lines), ("config.yaml", _document)):
        file = folder / name
        if file.is_file():
            return Configuration.from_dict(dict(read(file)))
    return Configuration()


def _lines(file: Path) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        setting = line.partition("#")[0].strip()
        if not setting:
            continue
        key, colon, value = setting.partition(": ")
        if not colon or not key.strip() or not value.strip():
            raise ConfigurationError(f"{file}:{number}: {setting!r} is not of the form 'key: value'")
        yield key.strip(), value.strip()


def _document(file: Path) -> Iterator[tuple[str, str]]:
    import yaml  # only a directory with a YAML file needs it

    try:
        root = yaml.compose(file.read_text("utf-8"), Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        raise ConfigurationError(f"{file} is not a YAML document: {error}") from error
    if root is None:
        return
    if not isinstance(root, yaml.MappingNode):
        raise ConfigurationError(f"{file} holds no settings: it takes 'key: value' at the top")
    yield from _flattened(root, (), file)


def _flattened(node: yaml.Node, path: tuple[str, ...], file: Path) -> Iterator[tuple[str, str]]:
    import yaml

    if not isinstance(node, yaml.MappingNode):
        yield ".".join(path), to_text(_plain(node))
        return
    seen = set()
    for key, value in node.value:
        if key.value in seen:
            raise ConfigurationError(f"{file}:{key.start_mark.line + 1}: {key.value!r} is set twice")
        seen.add(key.value)
        yield from _flattened(value, (*path, key.value), file)


def _plain(node: yaml.Node) -> Any:
    import yaml

    if isinstance(node, yaml.MappingNode):
        return {key.value: _plain(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item) for item in node.value]
    return node.value
