"""Result types of Python's own functions and methods, as its type stubs state them."""

from __future__ import annotations

import datetime
import decimal
import re
import uuid
from collections.abc import Mapping
from typing import Any, Final

from pystream.inference.conversions import opened
from pystream.inference.values import Instance, Maybe, Value
from typeinfo.infer import type_of

__all__ = ["FUNCTIONS", "METHODS", "SAMPLES", "all_of", "value_of"]


def value_of(annotation: Any) -> Value:
    """Return a value of an annotation of these tables."""
    if annotation not in _VALUES:
        is_match = annotation is re.Match
        _VALUES[annotation] = Maybe(Instance(re.Match)) if is_match else opened(type_of(annotation))
    return _VALUES[annotation]


_VALUES: dict[Any, Value] = {}


def all_of(result: Any, names: str) -> dict[str, Any]:
    """Return a table in which all of some names have the same result."""
    return dict.fromkeys(names.split(), result)


_TEXT: Final = {
    **all_of(
        str,
        "capitalize casefold center expandtabs format format_map join ljust lower lstrip removeprefix"
        " removesuffix replace rjust rstrip strip swapcase title translate upper zfill",
    ),
    **all_of(
        bool,
        "endswith isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable"
        " isspace istitle isupper startswith",
    ),
    **all_of(int, "count find index rfind rindex"),
    **all_of(list[str], "rsplit split splitlines"),
    **all_of(tuple[str, str, str], "partition rpartition"),
    "encode": bytes,
}

_BYTES: Final = {
    **all_of(
        bytes,
        "capitalize center expandtabs join ljust lower lstrip removeprefix removesuffix replace rjust rstrip"
        " strip swapcase title translate upper zfill",
    ),
    **all_of(bool, "endswith isalnum isalpha isascii isdigit islower isspace istitle isupper startswith"),
    **all_of(int, "count find index rfind rindex"),
    **all_of(list[bytes], "rsplit split splitlines"),
    **all_of(tuple[bytes, bytes, bytes], "partition rpartition"),
    **all_of(str, "decode hex"),
}

_INT: Final = {
    **all_of(int, "bit_count bit_length conjugate __floor__ __ceil__ __trunc__"),
    "to_bytes": bytes,
    "as_integer_ratio": tuple[int, int],
    "is_integer": bool,
}

METHODS: Final[Mapping[type[Any], Mapping[str, Any]]] = {
    str: _TEXT,
    bytes: _BYTES,
    int: _INT,
    bool: _INT,
    float: {"is_integer": bool, "hex": str, "as_integer_ratio": tuple[int, int], "conjugate": float},
    datetime.date: {
        **all_of(str, "isoformat strftime ctime"),
        **all_of(int, "weekday isoweekday toordinal"),
        "replace": datetime.date,
    },
    datetime.time: {**all_of(str, "isoformat strftime"), "replace": datetime.time},
    datetime.datetime: {
        **all_of(str, "isoformat strftime ctime"),
        **all_of(int, "weekday isoweekday toordinal"),
        **all_of(datetime.datetime, "replace astimezone"),
        "date": datetime.date,
        "time": datetime.time,
        "timestamp": float,
    },
    datetime.timedelta: {"total_seconds": float},
    re.Pattern: {"sub": str, "split": list[str], **all_of(re.Match, "match search fullmatch")},
    re.Match: {
        **all_of(str, "group expand"),
        **all_of(int, "start end"),
        "span": tuple[int, int],
        "groupdict": dict[str, str],
    },
    decimal.Decimal: {
        **all_of(decimal.Decimal, "quantize normalize copy_abs sqrt exp ln log10"),
        **all_of(bool, "is_finite is_nan is_zero is_signed"),
    },
}
"""The result of each method, by the class of its object."""

SAMPLES: Final[Mapping[type[Any] | None, Any]] = {
    type(sample): sample
    for sample in (
        *(True, 1, 1.0, decimal.Decimal(1), "", b"", uuid.UUID(int=1)),
        *(datetime.date(2000, 1, 1), datetime.time(), datetime.datetime(2000, 1, 1), datetime.timedelta(1)),
    )
}
"""A value of each class whose attributes, and results of operators, are of one class for all its values."""


def _in(module: str, annotation: Any, names: str) -> dict[str, Any]:
    return {f"{module}.{name}": annotation for name in names.split()}


FUNCTIONS: Final[Mapping[str, Any]] = {
    **_in("builtins", str, "ascii bin chr format hex oct repr input"),
    **_in("builtins", int, "hash id len ord"),
    **_in("builtins", bool, "all any callable hasattr isinstance issubclass"),
    **_in(
        "math",
        float,
        "acos acosh asin asinh atan atan2 atanh cbrt copysign cos cosh degrees dist erf erfc exp exp2 expm1"
        " fabs fmod fsum gamma hypot ldexp lgamma log log10 log1p log2 nextafter pow radians remainder sin"
        " sinh sqrt tan tanh ulp",
    ),
    **_in("math", int, "ceil comb factorial floor gcd isqrt lcm perm trunc"),
    **_in("math", bool, "isclose isfinite isinf isnan"),
    **_in("math", tuple[float, float], "modf"),
    **_in("math", tuple[float, int], "frexp"),
    **_in("time", float, "monotonic perf_counter process_time time"),
    **_in("time", int, "monotonic_ns perf_counter_ns process_time_ns time_ns"),
    **_in("time", str, "strftime ctime asctime"),
    **_in(
        "random", float, "Random.random Random.uniform Random.gauss Random.normalvariate Random.expovariate"
    ),
    **_in("random", int, "Random.randint Random.randrange Random.getrandbits"),
    **_in("json", str, "dumps"),
    **_in("json", bytes, "JSONEncoder.encode"),
    **_in("re", str, "sub escape"),
    **_in("re", list[str], "split"),
    **_in("re", re.Match, "match search fullmatch"),
    **_in("posixpath", str, "basename dirname join abspath normpath"),
    **_in("posixpath", bool, "exists isfile isdir"),
    **_in("zlib", int, "crc32 adler32"),
    **_in("binascii", int, "crc32"),
    **_in("base64", bytes, "b64encode b64decode"),
    **_in("html", str, "escape unescape"),
    **_in("urllib.parse", str, "quote quote_plus unquote unquote_plus urlencode urljoin"),
    **_in("textwrap", str, "dedent fill indent shorten"),
    **_in("statistics", float, "fmean"),
    **_in("uuid", uuid.UUID, "uuid1 uuid3 uuid4 uuid5"),
    **_in("os", int, "getpid"),
    **_in(
        "datetime",
        datetime.datetime,
        "datetime.combine datetime.fromisoformat datetime.fromtimestamp datetime.now datetime.strptime"
        " datetime.today datetime.utcfromtimestamp datetime.utcnow",
    ),
    **_in("datetime", datetime.date, "date.fromisoformat date.fromordinal date.fromtimestamp date.today"),
    **_in("datetime", datetime.time, "time.fromisoformat"),
    **_in("operator", bool, "contains eq ge gt is_ is_not le lt ne not_ truth"),
}
"""The result of each function, by its module and qualified name."""
