"""SerializerConfig: the settings of Flink's Java serializers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.settings import options
from pystream.settings.config_options import ConfigOptions
from pystream.settings.config_values import to_text
from pystream.settings.config_view import ConfigView
from typeinfo.arguments import checks_arguments

__all__ = ["SerializerConfig"]

_KRYO = "kryo"
_POJO = "pojo"
_DEFAULT = "default"
_REGISTERED = "registered"
_ENTRY = ConfigOptions.key(options.SERIALIZATION_CONFIG.key).map_type().default_value({})


@checks_arguments(ArgumentTypeError)
class SerializerConfig(ConfigView):
    """The configuration of Flink's Java serializers.

    It can be read back, but has no effect: the `TypeInformation` of an element decides how it is serialized.
    Mirrors ``org.apache.flink.api.common.serialization.SerializerConfig``.
    """

    def enable_force_kryo(self) -> Self:
        """Serialize POJOs with Kryo."""
        return self._set(options.FORCE_KRYO, True)

    def disable_force_kryo(self) -> Self:
        """Serialize POJOs with Flink's own serializer."""
        return self._set(options.FORCE_KRYO, False)

    def is_force_kryo_enabled(self) -> bool:
        """Return whether POJOs are serialized with Kryo."""
        return self._get(options.FORCE_KRYO)

    def enable_force_avro(self) -> Self:
        """Serialize POJOs with Avro."""
        return self._set(options.FORCE_AVRO, True)

    def disable_force_avro(self) -> Self:
        """Serialize POJOs with Flink's own serializer."""
        return self._set(options.FORCE_AVRO, False)

    def is_force_avro_enabled(self) -> bool:
        """Return whether POJOs are serialized with Avro."""
        return self._get(options.FORCE_AVRO)

    def enable_generic_types(self) -> Self:
        """Allow Java types that only Kryo can serialize."""
        return self._set(options.GENERIC_TYPES, True)

    def disable_generic_types(self) -> Self:
        """Forbid Java types that only Kryo can serialize."""
        return self._set(options.GENERIC_TYPES, False)

    def has_generic_types_disabled(self) -> bool:
        """Return whether Java types that only Kryo can serialize are forbidden."""
        return not self._get(options.GENERIC_TYPES)

    def add_default_kryo_serializer(self, type_class_name: str, serializer_class_name: str) -> Self:
        """Set the Kryo serializer of a Java class and its subclasses."""
        return self._register(type_class_name, _kryo(_DEFAULT, serializer_class_name))

    def register_type_with_kryo_serializer(self, type_class_name: str, serializer_class_name: str) -> Self:
        """Set the Kryo serializer of exactly one Java class."""
        return self._register(type_class_name, _kryo(_REGISTERED, serializer_class_name))

    def register_pojo_type(self, type_class_name: str) -> Self:
        """Register a subclass of a POJO."""
        return self._register(type_class_name, {"type": _POJO})

    def register_kryo_type(self, type_class_name: str) -> Self:
        """Register a Java class with Kryo."""
        return self._register(type_class_name, {"type": _KRYO})

    def get_default_kryo_serializer_classes(self) -> dict[str, str]:
        """Return the default Kryo serializers by class, in the order of registration."""
        return self._serializers(_DEFAULT)

    def get_registered_types_with_kryo_serializer_classes(self) -> dict[str, str]:
        """Return the Kryo serializers of single classes, in the order of registration."""
        return self._serializers(_REGISTERED)

    def get_registered_pojo_types(self) -> list[str]:
        """Return the registered POJO classes, in the order of registration."""
        return [name for name, how in self._registrations() if how == {"type": _POJO}]

    def get_registered_kryo_types(self) -> list[str]:
        """Return the classes registered with Kryo, in the order of registration."""
        return [name for name, how in self._registrations() if how == {"type": _KRYO}]

    def _register(self, type_class_name: str, how: dict[str, str]) -> Self:
        """Add a registration, replacing one for the same class and purpose."""
        name = _class_name(type_class_name)
        others = [
            {known: known_how}
            for known, known_how in self._registrations()
            if (known, _purpose(known_how)) != (name, _purpose(how))
        ]
        entries = [to_text(entry) for entry in (*others, {name: how})]
        return self._set(options.SERIALIZATION_CONFIG, entries)

    def _registrations(self) -> Iterator[tuple[str, dict[str, str]]]:
        for entry in self._get(options.SERIALIZATION_CONFIG) or ():
            for name, text in _ENTRY.read(entry).items():
                how = _ENTRY.read(text)
                if "kryo-type" in how and "class" not in how:
                    raise ConfigurationError(f"{_ENTRY.key}: {entry!r} names no serializer class")
                yield name, how

    def _serializers(self, kryo_type: str) -> dict[str, str]:
        return {
            name: how["class"] for name, how in self._registrations() if how.get("kryo-type") == kryo_type
        }


def _kryo(kryo_type: str, serializer_class_name: str) -> dict[str, str]:
    return {"type": _KRYO, "kryo-type": kryo_type, "class": _class_name(serializer_class_name)}


def _purpose(how: dict[str, str]) -> tuple[str | None, str | None]:
    return how.get("type"), how.get("kryo-type")


def _class_name(name: str) -> str:
    if not isinstance(name, str) or not name:
        raise ConfigurationError(f"{options.SERIALIZATION_CONFIG.key}: {name!r} is not a Java class name")
    return name
