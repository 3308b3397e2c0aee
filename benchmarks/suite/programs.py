"""The programs for PyFlink, and for pystream under the name of PyFlink.

Nothing is annotated, so that only ``output_type`` declares types.
"""

from pyflink.common import Row, Time, Types, WatermarkStrategy
from pyflink.common.watermark_strategy import TimestampAssigner
from pyflink.datastream.window import TumblingEventTimeWindows

from benchmarks.suite import record_functions
from benchmarks.suite.shapes import WINDOW_MILLIS, Reading

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
    # PyFlink has no type for dataclasses and pickles them.
    "dataclass": Types.of(Reading) if hasattr(Types, "of") else Types.PICKLED_BYTE_ARRAY(),
}


def element(shape, value):
    """Return a record of plain Python values as an element, with rows in place of tuples."""
    if shape == "nested":
        return Row(value[0], Row(*value[1]), value[2], value[3])
    return Row(*value) if isinstance(value, tuple) else value


def map_row5(r):
    return Row(r[0] % 1000 + 1, r[1], r[2] * 1.5, r[3] + "!", not r[4])


def both_row5(r):
    return [r, Row(r[0], r[1], r[2] * 0.5, r[3], r[4])]


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


def add_nested(a, b):
    return Row(b[0], Row(a[1][0] + b[1][0], b[1][1]), b[2], b[3])


def reading_of(r):
    """Return the row of a table as the dataclass that it was written from."""
    return Reading(r.sensor, r.celsius, r.millis, r.place)


class _RecordTime(TimestampAssigner):
    def __init__(self, time):
        self._time = time

    def extract_timestamp(self, value, record_timestamp):
        """Return the event time of a record."""
        return self._time(value)


# The functions that make rows replace those that make tuples.
_MAP = record_functions.MAP | {"row5": map_row5, "row30": map_row30, "nested": map_nested}
_FLAT_MAP = record_functions.FLAT_MAP | {"row5": both_row5, "row30": both_row30, "nested": both_nested}
_REDUCE = record_functions.REDUCE | {"row5": add_row5, "row30": add_row30, "nested": add_nested}


def program(stream, operator, shape, typed=True):
    """Apply an operator to a stream, with its result type declared or not."""
    declared = ELEMENT_TYPES[shape] if typed else None
    if operator == "map":
        return stream.map(_MAP[shape], output_type=declared)
    if operator == "filter":
        return stream.filter(record_functions.FILTER[shape])
    if operator == "flat_map":
        return stream.flat_map(_FLAT_MAP[shape], output_type=declared)
    if operator == "window":
        assigner = _RecordTime(record_functions.TIME[shape])
        strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(assigner)
        stream = stream.assign_timestamps_and_watermarks(strategy)
    key = record_functions.KEY[shape]
    keyed = stream.key_by(key, key_type=_LONG) if typed else stream.key_by(key)
    if operator == "reduce":
        return keyed.reduce(_REDUCE[shape])
    return keyed.window(TumblingEventTimeWindows.of(Time.milliseconds(WINDOW_MILLIS))).reduce(_REDUCE[shape])
