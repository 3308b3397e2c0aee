"""The programs PyFlink and pystream run, one text for both: pystream goes by the name of pyflink.

Nothing is annotated here, so that a program has types if it says so by ``output_type`` and only then.
"""

from pyflink.common import Row, Time, Types, WatermarkStrategy
from pyflink.common.watermark_strategy import TimestampAssigner
from pyflink.datastream.window import TumblingEventTimeWindows

from benchmarks.suite.elements import Reading
from benchmarks.suite.shapes import WINDOW_MILLIS

_LONG, _DOUBLE, _STRING = Types.LONG(), Types.DOUBLE(), Types.STRING()


def _fields(**types):
    return Types.ROW_NAMED(list(types), list(types.values()))


ELEMENT_TYPES = {
    "long": _LONG,
    "row5": _fields(id=_LONG, key=_LONG, amount=_DOUBLE, name=_STRING, flag=Types.BOOLEAN()),
    "row30": _fields(
        **{f"a{i}": _LONG for i in range(10)},
        **{f"d{i}": _DOUBLE for i in range(10)},
        **{f"s{i}": _STRING for i in range(10)},
    ),
    "nested": _fields(
        id=_LONG,
        point=_fields(x=_DOUBLE, y=_DOUBLE),
        tags=Types.LIST(_STRING),
        scores=Types.MAP(_STRING, _DOUBLE),
    ),
    "text": _STRING,
    # PyFlink knows no type of dataclasses, and pickles them.
    "dataclass": Types.of(Reading) if hasattr(Types, "of") else Types.PICKLED_BYTE_ARRAY(),
}


def element(shape, value):
    """Return a record made of plain Python values as an element: rows for tuples."""
    if shape == "nested":
        return Row(value[0], Row(*value[1]), value[2], value[3])
    return Row(*value) if isinstance(value, tuple) else value


def map_long(n):
    return n % 1000 * 3 + 1


def keep_long(n):
    return n % 3 == 0


def both_long(n):
    return [n, n % 1000]


def key_long(n):
    return n * 7919 % 1000


def add_long(a, b):
    return a + b


def map_row5(r):
    return Row(r[0] % 1000 + 1, r[1], r[2] * 1.5, r[3] + "!", not r[4])


def keep_row5(r):
    return r[0] % 3 == 0


def both_row5(r):
    return [r, Row(r[0], r[1], r[2] * 0.5, r[3], r[4])]


def key_row5(r):
    return r[1]


def add_row5(a, b):
    return Row(b[0], a[1], a[2] + b[2], b[3], b[4])


def map_row30(r):
    return Row(
        *(r[0] % 1000 + 1, r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9]),
        *(r[10] * 1.5, r[11], r[12], r[13], r[14], r[15], r[16], r[17], r[18], r[19]),
        *(r[20] + "!", r[21], r[22], r[23], r[24], r[25], r[26], r[27], r[28], r[29]),
    )


def both_row30(r):
    return [r, r]


def add_row30(a, b):
    return Row(
        *(b[0], a[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9]),
        *(a[10] + b[10], b[11], b[12], b[13], b[14], b[15], b[16], b[17], b[18], b[19]),
        *(b[20], b[21], b[22], b[23], b[24], b[25], b[26], b[27], b[28], b[29]),
    )


def map_nested(r):
    return Row(r[0] % 1000 + 1, Row(r[1][1], r[1][0]), r[2], r[3])


def both_nested(r):
    return [r, Row(r[0], Row(r[1][1], r[1][0]), r[2], r[3])]


def key_nested(r):
    return r[0] * 7919 % 1000


def add_nested(a, b):
    return Row(b[0], Row(a[1][0] + b[1][0], b[1][1]), b[2], b[3])


def map_text(s):
    return s + "!"


def keep_text(s):
    return s[9] == "0"


def both_text(s):
    return [s[:500], s[500:]]


def key_text(s):
    return int(s[:10]) * 7919 % 1000


def longer_text(a, b):
    return a if a > b else b


def reading_of(r):
    return Reading(r.sensor, r.celsius, r.millis, r.place)


def map_reading(r):
    return Reading(r.sensor, r.celsius * 1.8 + 32.0, r.millis % 1000, r.place + "!")


def keep_reading(r):
    return r.millis % 3 == 0


def both_reading(r):
    return [r, Reading(r.sensor, r.celsius * 1.8 + 32.0, r.millis, r.place)]


def key_reading(r):
    return r.sensor


def add_reading(a, b):
    return Reading(b.sensor, a.celsius + b.celsius, b.millis, b.place)


class _FieldAsTime(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        """Return the first field."""
        return value[0]


class _ValueAsTime(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        """Return the number itself."""
        return value


class _TextAsTime(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        """Return the number a text begins with."""
        return int(value[:10])


class _MillisAsTime(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        """Return the field of that name."""
        return value.millis


# map, filter, flat_map, key, reduce, timestamp assigner
_FUNCTIONS = {
    "long": (map_long, keep_long, both_long, key_long, add_long, _ValueAsTime),
    "row5": (map_row5, keep_row5, both_row5, key_row5, add_row5, _FieldAsTime),
    "row30": (map_row30, keep_row5, both_row30, key_row5, add_row30, _FieldAsTime),
    "nested": (map_nested, keep_row5, both_nested, key_nested, add_nested, _FieldAsTime),
    "text": (map_text, keep_text, both_text, key_text, longer_text, _TextAsTime),
    "dataclass": (map_reading, keep_reading, both_reading, key_reading, add_reading, _MillisAsTime),
}


def program(stream, operator, shape, typed=True):
    """Return the stream of an operator's results, its type declared or not."""
    mapped, kept, both, key, reduced, assigner = _FUNCTIONS[shape]
    declared = ELEMENT_TYPES[shape] if typed else None
    if operator == "map":
        return stream.map(mapped, output_type=declared)
    if operator == "filter":
        return stream.filter(kept)
    if operator == "flat_map":
        return stream.flat_map(both, output_type=declared)
    if operator == "window":
        strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(assigner())
        stream = stream.assign_timestamps_and_watermarks(strategy)
    keyed = stream.key_by(key, key_type=_LONG) if typed else stream.key_by(key)
    if operator == "reduce":
        return keyed.reduce(reduced)
    return keyed.window(TumblingEventTimeWindows.of(Time.milliseconds(WINDOW_MILLIS))).reduce(reduced)
