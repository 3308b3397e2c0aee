"""Functions of one record that is a tuple (or a dataclass): Bytewax's, and those of PySpark's Python UDFs."""

from __future__ import annotations

from typing import Any

from benchmarks.suite.elements import Reading
from benchmarks.suite.shapes import KEYS


def _map_long(n: int) -> int:
    return n % 1000 * 3 + 1


def _map_row5(r: Any) -> Any:
    return r[0] % 1000 + 1, r[1], r[2] * 1.5, r[3] + "!", not r[4]


def _map_row30(r: Any) -> Any:
    return (
        *(r[0] % 1000 + 1, r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9]),
        *(r[10] * 1.5, r[11], r[12], r[13], r[14], r[15], r[16], r[17], r[18], r[19]),
        *(r[20] + "!", r[21], r[22], r[23], r[24], r[25], r[26], r[27], r[28], r[29]),
    )


def _map_nested(r: Any) -> Any:
    return r[0] % 1000 + 1, (r[1][1], r[1][0]), r[2], r[3]


def _map_text(s: str) -> str:
    return s + "!"


def _map_reading(r: Any) -> Any:
    return Reading(r.sensor, r.celsius * 1.8 + 32.0, r.millis % 1000, r.place + "!")


def _keep_long(n: int) -> bool:
    return n % 3 == 0


def _keep_row(r: Any) -> bool:
    return bool(r[0] % 3 == 0)


def _keep_text(s: str) -> bool:
    return s[9] == "0"


def _keep_reading(r: Any) -> bool:
    return bool(r.millis % 3 == 0)


def _both_long(n: int) -> list[int]:
    return [n, n % 1000]


def _both_row5(r: Any) -> list[Any]:
    return [tuple(r), (r[0], r[1], r[2] * 0.5, r[3], r[4])]


def _both_row30(r: Any) -> list[Any]:
    return [tuple(r), tuple(r)]


def _both_nested(r: Any) -> list[Any]:
    return [tuple(r), (r[0], (r[1][1], r[1][0]), r[2], r[3])]


def _both_text(s: str) -> list[str]:
    return [s[:500], s[500:]]


def _both_reading(r: Any) -> list[Any]:
    return [r, Reading(r.sensor, r.celsius * 1.8 + 32.0, r.millis, r.place)]


def _key_long(n: int) -> int:
    return n * 7919 % KEYS


def _key_row(r: Any) -> Any:
    return r[1]


def _key_nested(r: Any) -> Any:
    return r[0] * 7919 % KEYS


def _key_text(s: str) -> int:
    return int(s[:10]) * 7919 % KEYS


def _key_reading(r: Reading) -> int:
    return r.sensor


def _add_long(a: int, b: int) -> int:
    return a + b


def _add_row5(a: Any, b: Any) -> Any:
    return b[0], a[1], a[2] + b[2], b[3], b[4]


def _add_row30(a: Any, b: Any) -> Any:
    return (
        *(b[0], a[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9]),
        *(a[10] + b[10], b[11], b[12], b[13], b[14], b[15], b[16], b[17], b[18], b[19]),
        *(b[20], b[21], b[22], b[23], b[24], b[25], b[26], b[27], b[28], b[29]),
    )


def _add_nested(a: Any, b: Any) -> Any:
    return b[0], (a[1][0] + b[1][0], b[1][1]), b[2], b[3]


def _longer_text(a: str, b: str) -> str:
    return a if a > b else b


def _add_reading(a: Reading, b: Reading) -> Reading:
    return Reading(b.sensor, a.celsius + b.celsius, b.millis, b.place)


def _first(r: Any) -> Any:
    return r[0]


def _itself(n: int) -> int:
    return n


def _number_of_text(s: str) -> int:
    return int(s[:10])


def _millis(r: Reading) -> int:
    return r.millis


MAP = {
    "long": _map_long,
    "row5": _map_row5,
    "row30": _map_row30,
    "nested": _map_nested,
    "text": _map_text,
    "dataclass": _map_reading,
}
FILTER = {
    "long": _keep_long,
    "row5": _keep_row,
    "row30": _keep_row,
    "nested": _keep_row,
    "text": _keep_text,
    "dataclass": _keep_reading,
}
FLAT_MAP = {
    "long": _both_long,
    "row5": _both_row5,
    "row30": _both_row30,
    "nested": _both_nested,
    "text": _both_text,
    "dataclass": _both_reading,
}
KEY = {
    "long": _key_long,
    "row5": _key_row,
    "row30": _key_row,
    "nested": _key_nested,
    "text": _key_text,
    "dataclass": _key_reading,
}
REDUCE = {
    "long": _add_long,
    "row5": _add_row5,
    "row30": _add_row30,
    "nested": _add_nested,
    "text": _longer_text,
    "dataclass": _add_reading,
}
TIME = {
    "long": _itself,
    "row5": _first,
    "row30": _first,
    "nested": _first,
    "text": _number_of_text,
    "dataclass": _millis,
}
