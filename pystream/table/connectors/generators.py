"""Generators of the values of a column: sequences and random values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from random import Random
from typing import Any

from pystream.durations import Duration
from pystream.errors import ConfigurationError
from pystream.sql_types.data_types import ArrayType, DataType, DecimalType, MapType, RowType
from typeinfo.instant import Instant
from typeinfo.row import Row, make_row

__all__ = ["Generator", "random_values", "sequence"]

Generator = Callable[[Random, int], Any]
"""Makes a value from random numbers and the index of the row."""

_TEXT_LENGTH = 100
_COLLECTION_LENGTH = 3

_INTEGERS = {"TINYINT": 2**7, "SMALLINT": 2**15, "INT": 2**31, "BIGINT": 2**63}
_LARGEST = {"FLOAT": 3.4028234663852886e38, "DOUBLE": 1.7976931348623157e308}


def sequence(data_type: DataType, first: int, owner: str) -> Generator:
    """Return the generator of a sequence of integers, as numbers or as text.

    Args:
        data_type: the type of the column.
        first: the first one.
        owner: the column, for messages.

    Raises:
        ConfigurationError: the type is not that of numbers or text.
    """
    name = _name(data_type)
    if name in _INTEGERS:
        return partial(_counted, int, first)
    if name in _LARGEST:
        return partial(_counted, float, first)
    if name in ("STRING", "VARCHAR", "CHAR"):
        return partial(_counted, str, first)
    if isinstance(data_type, DecimalType):
        return partial(_counted, Decimal, first)
    raise ConfigurationError(f"{owner}: a sequence has numbers or text, not {data_type}")


def _counted(kind: Callable[[int], Any], first: int, random: Random, index: int) -> Any:
    return kind(first + index)


@dataclass(frozen=True, slots=True)
class _Limits:
    """The limits of random values, as far as they are given."""

    least: float | None
    greatest: float | None
    length: int | None
    max_past: Duration | None


def random_values(data_type: DataType, options: Mapping[str, Any], owner: str) -> Generator:
    """Return the generator of random values.

    Args:
        data_type: the type of the column.
        options: the values of ``min``, ``max``, ``length``, ``max-past`` and ``null-rate``.
        owner: the column, for messages.

    Raises:
        ConfigurationError: there are no random values of the type, or a limit is wrong for it.
    """
    limits = _Limits(options["min"], options["max"], options["length"], options["max-past"])
    generator = _generator(data_type, limits, owner)
    rate = options["null-rate"]
    if not 0 <= rate <= 1:
        raise ConfigurationError(f"{owner}: null-rate must be from 0 to 1, not {rate}")
    if rate and not data_type.is_nullable:
        raise ConfigurationError(f"{owner}: null-rate is {rate}, but the column is NOT NULL")
    return partial(_sometimes_null, rate, generator) if rate else generator


def _sometimes_null(rate: float, generator: Generator, random: Random, index: int) -> Any:
    return None if random.random() < rate else generator(random, index)


def _generator(data_type: DataType, limits: _Limits, owner: str) -> Generator:
    if isinstance(data_type, (ArrayType, MapType)):
        inner = _Limits(limits.least, limits.greatest, None, limits.max_past)
        length = limits.length or _COLLECTION_LENGTH
        if isinstance(data_type, ArrayType):
            return partial(_array, length, _generator(data_type.element_type, inner, owner))
        key = _generator(data_type.key_type, inner, owner)
        return partial(_map, length, key, _generator(data_type.value_type, inner, owner))
    if isinstance(data_type, RowType):
        parts = [_generator(field.data_type, limits, owner) for field in data_type.fields]
        return partial(_row, tuple(field.name for field in data_type.fields), parts)
    return _scalar_generator(data_type, limits, owner)


def _scalar_generator(data_type: DataType, limits: _Limits, owner: str) -> Generator:
    name = _name(data_type)
    past = timedelta() if limits.max_past is None else timedelta(microseconds=limits.max_past.nanos / 1000)
    if name in _INTEGERS:
        return partial(_integer, *_bounds(-_INTEGERS[name], _INTEGERS[name] - 1, limits, owner, int))
    if name in _LARGEST:
        return partial(_float, *_bounds(-_LARGEST[name], _LARGEST[name], limits, owner, float))
    if isinstance(data_type, DecimalType):
        digits, scale = data_type.precision - data_type.scale, data_type.scale
        least, greatest = _bounds(-(10**digits) + 1, 10**digits - 1, limits, owner, int)
        return partial(_decimal, least, greatest, scale)
    match name:
        case "BOOLEAN":
            return _boolean
        case "STRING":
            return partial(_text, limits.length or _TEXT_LENGTH)
        case "VARCHAR" | "CHAR":
            return partial(_text, min(limits.length or _TEXT_LENGTH, _size(data_type)))
        case "BYTES":
            return partial(_bytes, limits.length or _TEXT_LENGTH)
        case "VARBINARY" | "BINARY":
            return partial(_bytes, min(limits.length or _TEXT_LENGTH, _size(data_type)))
        case "DATE":
            return _date
        case "TIME":
            return _time
        case "TIMESTAMP":
            return partial(_timestamp, past)
        case "TIMESTAMP_LTZ":
            return partial(_instant, past)
    raise ConfigurationError(f"{owner}: there are no random values of {data_type}")


def _bounds(least: Any, greatest: Any, limits: _Limits, owner: str, kind: type[Any]) -> tuple[Any, Any]:
    chosen = (
        least if limits.least is None else kind(limits.least),
        greatest if limits.greatest is None else kind(limits.greatest),
    )
    if not least <= chosen[0] <= chosen[1] <= greatest:
        raise ConfigurationError(
            f"{owner}: min and max must be from {least} to {greatest}, in this order, not {chosen[0]} and "
            f"{chosen[1]}"
        )
    return chosen


def _name(data_type: DataType) -> str:
    return str(data_type.nullable()).partition("(")[0]


def _size(data_type: DataType) -> int:
    return int(str(data_type.nullable()).partition("(")[2].removesuffix(")"))


def _integer(least: int, greatest: int, random: Random, index: int) -> int:
    return random.randint(least, greatest)


def _float(least: float, greatest: float, random: Random, index: int) -> float:
    share = random.random()
    return least * (1 - share) + greatest * share  # their difference may be too large for a float


def _decimal(least: int, greatest: int, scale: int, random: Random, index: int) -> Decimal:
    return Decimal(random.randint(least * 10**scale, greatest * 10**scale)).scaleb(-scale)


def _boolean(random: Random, index: int) -> bool:
    return random.random() < 0.5


def _text(length: int, random: Random, index: int) -> str:
    return random.randbytes((length + 1) // 2).hex()[:length]


def _bytes(length: int, random: Random, index: int) -> bytes:
    return random.randbytes(length)


def _date(random: Random, index: int) -> Any:
    return datetime.now().date()


def _time(random: Random, index: int) -> Any:
    return datetime.now().time()


def _timestamp(past: timedelta, random: Random, index: int) -> datetime:
    return datetime.now() - random.random() * past


def _instant(past: timedelta, random: Random, index: int) -> Instant:
    return Instant.of_datetime(datetime.now(UTC) - random.random() * past)


def _array(length: int, element: Generator, random: Random, index: int) -> list[Any]:
    return [element(random, index) for _ in range(length)]


def _map(length: int, key: Generator, value: Generator, random: Random, index: int) -> dict[Any, Any]:
    return {key(random, index): value(random, index) for _ in range(length)}


def _row(names: tuple[str, ...], parts: list[Generator], random: Random, index: int) -> Row[Any]:
    return make_row([part(random, index) for part in parts], names)
