"""Encode values in Avro's binary encoding by a schema, and choose the branches of unions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from pystream.engine.formats.avro_defaults import encoded_default
from pystream.engine.formats.avro_scalars import (
    Encode,
    Fit,
    WrongClassError,
    encode_integer,
    encode_string,
    scalar_encoder,
    wrong_class,
)
from pystream.engine.formats.avro_schema import NAMED, Definitions, definitions_of, name_of
from pystream.engine.formats.errors import FieldError, excerpt

__all__ = ["UnionEncoder", "encoder_of"]


def encoder_of(schema: Any) -> Encode:
    """Return the encoder of a schema as fastavro parses it.

    A value is encoded only if it reads as an equal value: a number in range and exact, a date that is no
    datetime, a datetime with a time zone for an instant and without one for a local timestamp. ``float``
    alone rounds, to 32 bits. In a union, the branch that keeps a value best is chosen, the first of several.

    Raises:
        UnsupportedTypeError: a default does not fit the schema of its field.
    """
    return _Compiler(definitions_of(schema)).encoder(schema)


class _Compiler:
    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._named: dict[str, Encode] = {}

    def encoder(self, schema: Any) -> Encode:
        if isinstance(schema, list):
            return UnionEncoder(schema, list(map(self.encoder, schema)))
        if isinstance(schema, str):
            schema = self._definitions.get(schema) or {"type": schema}
        name: str = schema.get("name", "") if schema["type"] in NAMED else ""
        if name in self._named:
            return self._named[name]
        match schema["type"]:
            case "record" | "error":
                record = self._named[name] = _RecordEncoder(name)
                record.fields += map(partial(self._field, name), schema["fields"])
                return record
            case "array":
                return _ArrayEncoder(self.encoder(schema["items"]))
            case "map":
                return _MapEncoder(self.encoder(schema["values"]))
        return scalar_encoder(schema) or self.encoder(schema["type"])

    def _field(self, record: str, field: dict[str, Any]) -> tuple[str, Encode, bytes | None]:
        default = encoded_default(field, record, self._definitions) if "default" in field else None
        return field["name"], self.encoder(field["type"]), default


class _RecordEncoder:
    """Encode records given as dicts.

    Args:
        name: the full name of the record.

    Attributes:
        fields: the name, the encoder and the encoded default of each field.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self.fields: list[tuple[str, Encode, bytes | None]] = []

    def __call__(self, value: Any, out: bytearray) -> Fit:
        if not isinstance(value, Mapping):
            raise wrong_class(value, f"record {self._name}")
        worst, missing = Fit.EXACT, 0
        for name, encode, default in self.fields:
            if name in value:
                try:
                    worst = max(worst, encode(value[name], out))
                except FieldError as error:
                    raise error.under(f".{name}") from None
                continue
            if default is None:
                raise FieldError("it is missing, and has no default").under(f".{name}")
            missing += 1
            out += default
        if len(value) + missing != len(self.fields):
            known = {name for name, _, _ in self.fields}
            more = ", ".join(repr(name) for name in value if name not in known)
            raise FieldError(f"the Avro record {self._name} has no field {more}")
        return max(worst, Fit.CONVERTED) if missing else worst


class _ArrayEncoder:
    def __init__(self, element: Encode) -> None:
        self._element = element

    def __call__(self, value: Any, out: bytearray) -> Fit:
        if not isinstance(value, (list, tuple)):
            raise wrong_class(
                value, "array", "; convert it with list(…)" if hasattr(value, "__len__") else ""
            )
        worst = Fit.EXACT
        if value:
            encode_integer(len(value), out)
        for i, element in enumerate(value):
            try:
                worst = max(worst, self._element(element, out))
            except FieldError as error:
                raise error.under(f"[{i}]") from None
        out.append(0)
        return worst


class _MapEncoder:
    def __init__(self, entry: Encode) -> None:
        self._entry = entry

    def __call__(self, value: Any, out: bytearray) -> Fit:
        if not isinstance(value, Mapping):
            raise wrong_class(value, "map")
        worst = Fit.EXACT
        if value:
            encode_integer(len(value), out)
        for key, entry in value.items():
            try:
                encode_string(key, out)
                worst = max(worst, self._entry(entry, out))
            except FieldError as error:
                raise error.under(f"[{key!r}]") from None
        out.append(0)
        return worst


class UnionEncoder:
    """Encode values by the branch that keeps them best.

    Args:
        schemas: the branches.
        encoders: their encoders.
    """

    def __init__(self, schemas: list[Any], encoders: list[Encode]) -> None:
        self._schemas = schemas
        self._null = schemas.index("null") if "null" in schemas else None
        self._present = [(i, encode) for i, encode in enumerate(encoders) if i != self._null]

    def __call__(self, value: Any, out: bytearray) -> Fit:
        if value is None and self._null is not None:
            encode_integer(self._null, out)
            return Fit.EXACT
        branch, encoded, fit = self._best(value)
        encode_integer(branch, out)
        out += encoded
        return fit

    def branch_of(self, value: Any) -> int:
        """Return the position of the branch for a value that is not null.

        Raises:
            FieldError: it fits none.
        """
        return self._best(value)[0]

    def _best(self, value: Any) -> tuple[int, bytearray, Fit]:
        best: tuple[int, bytearray, Fit] | None = None
        faults: list[FieldError] = []
        for branch, encode in self._present:
            encoded = bytearray()
            try:
                fit = encode(value, encoded)
            except WrongClassError as error:
                if error.path:
                    faults.append(error)
            except FieldError as error:
                faults.append(error)
            else:
                if best is None or fit < best[2]:
                    best = branch, encoded, fit
                if fit == Fit.EXACT:
                    break
        if best is not None:
            return best
        raise faults[0] if len(faults) == 1 else self._no_branch(value)

    def _no_branch(self, value: Any) -> FieldError:
        branches = ", ".join(map(name_of, self._schemas))
        return FieldError(f"{excerpt(value)} ({type(value).__name__}) fits no branch of the union {branches}")
