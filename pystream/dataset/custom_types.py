"""Custom types: classes with a serializer and a deserializer of the program."""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Protocol, TypeVar

__all__ = ["CustomType", "Deserializer", "Serializer", "install"]

T = TypeVar("T")
IN = TypeVar("IN", contravariant=True)
OUT = TypeVar("OUT", covariant=True)


class Serializer(Protocol[IN]):
    """Converts objects of a class to bytes."""

    def serialize(self, value: IN) -> bytes:
        """Return an object as bytes."""
        ...


class Deserializer(Protocol[OUT]):
    """Restores objects of a class from bytes."""

    def _deserialize(self, read: Callable[[int], bytes]) -> OUT:
        """Return an object; ``read(n)`` returns the next n of its bytes."""
        ...


@dataclass(frozen=True, slots=True)
class CustomType:
    """A class with its serializer and deserializer.

    Attributes:
        custom_class: the class.
        serializer: converts its objects to bytes.
        deserializer: restores them.
    """

    custom_class: type[Any]
    serializer: Serializer[Any]
    deserializer: Deserializer[Any]

    @property
    def name(self) -> str:
        """The name that stands for the class in pickled elements."""
        return f"{self.custom_class.__module__}.{self.custom_class.__qualname__}"

    def reduced(self, value: Any) -> tuple[Any, ...]:
        """Return the parts of an object for pickle."""
        return _restored, (self.name, self.serializer.serialize(value))


_installed: dict[str, CustomType] = {}


def install(types: Iterable[CustomType]) -> None:
    """Pickle objects of classes by their serializers in this process, and restore them."""
    for custom in types:
        _installed[custom.name] = custom
        copyreg.pickle(custom.custom_class, custom.reduced)


def _restored(name: str, data: bytes) -> Any:
    return _installed[name].deserializer._deserialize(BytesIO(data).read)
