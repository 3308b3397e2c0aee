"""Pickle data, and load it without running code that stored bytes bring along.

A pickle calls what it names. Data names

- the data types of the standard library that are listed here, and scalars of NumPy and pandas;
- data classes of pystream: its NamedTuples, enums and dataclasses, and a few listed ones;
- classes of the program: those of declared types, and other data classes that the program defines. They are
  found by name in the running program, and never rebuilt from a class inside of the data.

Everything else is refused when it is stored, and neither called nor imported when it is loaded.
"""

from __future__ import annotations

import dataclasses
import datetime
import io
import pickle
import sys
from collections.abc import Iterable
from decimal import Decimal
from enum import Enum, EnumType
from functools import cache
from pathlib import PurePath
from types import BuiltinFunctionType, FunctionType
from typing import Any
from zoneinfo import ZoneInfo

from typeinfo.by_value import object_by_value
from typeinfo.custom import CustomTypeInfo
from typeinfo.errors import PyStreamError, summarize
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.pickling import StatePickler, known_class

__all__ = [
    "NO_CLASSES",
    "Classes",
    "DataError",
    "MissingClassError",
    "classes_of",
    "dump_data",
    "has_functions",
    "is_data",
    "load_data",
]

Classes = frozenset[type[Any]]
NO_CLASSES: Classes = frozenset()

_LISTED = {
    "array": {"_array_reconstructor", "array"},
    "builtins": {
        *("bool", "bytearray", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "object"),
        *("range", "set", "slice", "str", "tuple"),
    },
    "collections": {"Counter", "OrderedDict", "defaultdict", "deque"},
    "datetime": {"date", "datetime", "time", "timedelta", "timezone"},
    "decimal": {"Decimal"},
    "fractions": {"Fraction"},
    "ipaddress": {f"IPv{version}{kind}" for version in "46" for kind in ("Address", "Interface", "Network")},
    "pathlib": {"Path", "PosixPath", "PurePath", "PurePosixPath", "PureWindowsPath", "WindowsPath"},
    "types": {"NoneType"},
    "uuid": {"SafeUUID", "UUID"},
    "zoneinfo": {"ZoneInfo"},
    "numpy": {"dtype"},
    "numpy._core.multiarray": {"scalar"},
    "numpy.core.multiarray": {"scalar"},
    "pandas._libs.tslibs.timedeltas": {"Timedelta", "_timedelta_unpickle"},
    "pandas._libs.tslibs.timestamps": {"Timestamp", "_unpickle_timestamp"},
    "pystream.engine.time.watermark_generators": {"BoundedOutOfOrderness", "IngestionTime", "NoWatermarks"},
    "pystream.engine.windows.windows": {"GlobalWindow", "GlobalWindow.get"},
    "typeinfo.pickling": {"_class_of_program"},
    "typeinfo.row": {"Row", "_restored"},
}
_OWN = {"pystream", "typeinfo"}
_IMPORTED = ("pystream.engine.", "pystream.hosts.unbounded.", "typeinfo.")  # if they are not loaded yet
_INSTALLED = {"dist-packages", "site-packages"}
_SCALARS = (int, float, complex, str, bytes, datetime.date, datetime.time, datetime.timedelta, Decimal)
_CONTAINERS = (tuple, list, dict, set, frozenset)
_FUNCTIONS = {FunctionType, BuiltinFunctionType}


class DataError(PyStreamError, pickle.PicklingError, pickle.UnpicklingError):
    """Something cannot be stored as data, or stored bytes are no data."""


class MissingClassError(DataError):
    """Stored data names a class that the program does not have."""


def is_data(type_info: TypeInformation[Any]) -> bool:
    """Return whether values of a type are data, rather than any object that the program pickles."""
    if isinstance(type_info, PickledBytesTypeInfo | CustomTypeInfo):
        return False
    return all(is_data(slot.type) for slot in type_info.slots())


def has_functions(type_info: TypeInformation[Any]) -> bool:
    """Return whether a type itself holds functions of the program, so that it is not data."""
    return isinstance(type_info, CustomTypeInfo) or any(
        has_functions(slot.type) for slot in type_info.slots()
    )


def classes_of(types: Iterable[TypeInformation[Any]]) -> Classes:
    """Return the classes of records and enums that types name."""
    found: set[type[Any]] = set()
    for type_info in types:
        for attribute in ("record_class", "enum_class"):
            if isinstance(cls := getattr(type_info, attribute, None), type):
                found.add(cls)
        found |= classes_of(slot.type for slot in type_info.slots())
    return frozenset(found)


def dump_data(value: Any, classes: Classes = NO_CLASSES) -> bytes:
    """Pickle data so that a later version of the program, with classes of its own, can load it.

    Args:
        value: the data.
        classes: those of declared types.

    Raises:
        DataError: it holds something else.
        Exception: it cannot be pickled.
    """
    buffer = io.BytesIO()
    _DataPickler(buffer, classes).dump(value)
    return buffer.getvalue()


def load_data(stored: bytes, classes: Classes = NO_CLASSES) -> Any:
    """Return what ``dump_data`` has pickled.

    Args:
        stored: the pickle.
        classes: those of declared types.

    Raises:
        DataError: it names something that is not data, is damaged, or the program no longer has a class.
    """
    try:
        return _DataUnpickler(stored, classes).load()
    except DataError:
        raise
    except Exception as error:
        raise DataError(summarize(error)) from error


class _DataPickler(StatePickler):
    def __init__(self, buffer: io.BytesIO, classes: Classes) -> None:
        super().__init__(buffer, pickle.HIGHEST_PROTOCOL)
        self._classes = classes

    def reducer_override(self, obj: Any) -> Any:
        cls = type(obj)
        if cls is ZoneInfo:
            return ZoneInfo, (obj.key,)  # its own way is a call of getattr
        if isinstance(obj, Enum):
            return cls, (obj.value,)  # that of some versions of Python 3.11 is a call of getattr, too
        if cls in _FUNCTIONS:
            if obj.__qualname__ not in _LISTED.get(obj.__module__, ()):
                raise DataError(f"function {_title(obj)} is not data, nor is what is pickled by it")
            return NotImplemented
        if isinstance(obj, type):
            if not _is_data_class(obj, self._classes):
                raise DataError(f"class {_title(obj)} is not one of data")
            return super().reducer_override(obj)
        reduced = object_by_value(obj)
        if type(reduced) is str and reduced not in _LISTED.get(obj.__module__, ()):
            raise DataError(f"{reduced} of class {_title(cls)} is not data")
        return reduced


class _DataUnpickler(pickle.Unpickler):
    def __init__(self, stored: bytes, classes: Classes) -> None:
        super().__init__(io.BytesIO(stored))
        self._classes = classes

    def find_class(self, module: str, name: str, /) -> Any:
        if (module, name) == ("typeinfo.pickling", "_class_of_program"):
            return self._class_of_program
        if (module, name) == ("builtins", "getattr"):
            return _attribute
        if name in _LISTED.get(module, ()):
            return super().find_class(module, name)
        if _is_standard(module):
            raise DataError(f"it names {module}.{name}, which is not data")
        return self._checked(_found(module, name), module, name)

    def _class_of_program(self, module: str, name: str, tracker: str, _: bytes) -> type[Any]:
        """Return the class of the program that a stored class was; the stored one is not loaded."""
        return self._checked(known_class(module, name, tracker), module, name)

    def _checked(self, found: Any, module: str, name: str) -> type[Any]:
        if found is None:
            raise MissingClassError(f"the program has no class {module}.{name}")
        if not isinstance(found, type) or not _is_data_class(found, self._classes):
            raise DataError(f"it names {module}.{name}, which is not data")
        return found


def _attribute(owner: Any, name: str) -> Any:
    """Return a member of an enum, or how time zones are pickled by Python: the only uses of getattr."""
    if isinstance(owner, EnumType) and name in owner.__members__:
        return owner[name]
    if owner is ZoneInfo and name == "_unpickle":
        return ZoneInfo._unpickle  # type: ignore[attr-defined]
    raise DataError(f"it names attribute {name!r} of {owner!r}, which is not data")


def _found(module: str, name: str) -> Any:
    """Return the class of a name in a loaded module, ``None`` if there is none; imports only pystream's."""
    if module.startswith(_IMPORTED) and module not in sys.modules:
        __import__(module)
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = vars(found).get(part) if isinstance(found, type) else getattr(found, part, None)
    return known_class(module, name, "") if found is None else found


def _is_data_class(cls: type[Any], classes: Classes) -> bool:
    module = cls.__module__
    if cls.__qualname__ in _LISTED.get(module, ()) or cls in classes:
        return True
    if module.partition(".")[0] in _OWN:
        return _is_record(cls)
    if _is_standard(module) or _is_installed(module):
        return False
    return _is_record(cls) or issubclass(cls, (*_SCALARS, *_CONTAINERS, PurePath))


def _is_record(cls: type[Any]) -> bool:
    return (
        dataclasses.is_dataclass(cls)
        or issubclass(cls, Enum)
        or (issubclass(cls, tuple) and hasattr(cls, "_fields"))
        or hasattr(cls, "__attrs_attrs__")
        or hasattr(cls, "__pydantic_fields__")
    )


@cache
def _is_standard(module: str) -> bool:
    return module != "__main__" and module.partition(".")[0] in sys.stdlib_module_names


@cache
def _is_installed(module: str) -> bool:
    """Return whether a module belongs to an installed package, rather than to the program."""
    path = getattr(sys.modules.get(module), "__file__", None)
    return not _INSTALLED.isdisjoint(PurePath(path or "").parts)


def _title(found: Any) -> str:
    return f"{getattr(found, '__module__', '?')}.{getattr(found, '__qualname__', found)}"
