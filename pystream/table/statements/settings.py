"""SET, RESET, and statements on modules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pystream.sql_types.data_types import DataTypes
from pystream.table.statements.base import Statement, listing, names_listing, success
from pystream.table.table_result import TableResult

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = ["LoadModule", "Reset", "Set", "ShowModules", "ShowSettings", "UnloadModule", "UseModules"]


@dataclass(frozen=True, slots=True)
class Set(Statement):
    """``SET 'key' = 'value'``.

    Attributes:
        key: the key of the setting.
        value: its value.
    """

    key: str
    value: str

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Change the setting, as ``get_config().set`` does."""
        configuration = environment.get_config().get_configuration()
        before = configuration.to_dict().get(self.key)
        environment.get_config().set(self.key, self.value)
        environment._settings_before.setdefault(self.key, before)
        return success()


@dataclass(frozen=True, slots=True)
class ShowSettings(Statement):
    """``SET`` alone."""

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Return the settings, sorted by key."""
        settings = environment.get_config().get_configuration().to_dict()
        return listing(["key", "value"], sorted(settings.items()))


@dataclass(frozen=True, slots=True)
class Reset(Statement):
    """``RESET`` of one setting, or of all that were changed by SET.

    Attributes:
        key: the key; all unless given.
    """

    key: str | None

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Give settings the values back that they had before SET."""
        before = environment._settings_before
        for key in [*before] if self.key is None else before.keys() & {self.key}:
            value = before.pop(key)
            if value is None:
                environment.get_config().get_configuration().remove_config(key)
            else:
                environment.get_config().set(key, value)
        return success()


@dataclass(frozen=True, slots=True)
class ShowModules(Statement):
    """``SHOW [FULL] MODULES``.

    Attributes:
        is_full: whether those that are not used are shown, too.
    """

    is_full: bool

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Return the names of the modules."""
        if not self.is_full:
            return names_listing("module name", environment._modules.names())
        rows = [[entry.name(), entry.used()] for entry in environment._modules.entries()]
        return listing(["module name", "used"], rows, DataTypes.STRING(), DataTypes.BOOLEAN())


@dataclass(frozen=True, slots=True)
class LoadModule(Statement):
    """``LOAD MODULE``.

    Attributes:
        name: the name of the module.
    """

    name: str

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Add the module of that name behind those that are used."""
        environment._modules.load_by_name(self.name)
        return success()


@dataclass(frozen=True, slots=True)
class UnloadModule(Statement):
    """``UNLOAD MODULE``.

    Attributes:
        name: the name of the module.
    """

    name: str

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Remove the module."""
        environment._modules.unload(self.name)
        return success()


@dataclass(frozen=True, slots=True)
class UseModules(Statement):
    """``USE MODULES``.

    Attributes:
        names: the names of the modules.
    """

    names: tuple[str, ...]

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Choose the modules whose functions are listed."""
        environment._modules.use(*self.names)
        return success()
