"""The programs for PyFlink, and for pystream under the name of PyFlink."""

import time
from uuid import uuid4

from pyflink.common import Time, Types, WatermarkStrategy
from pyflink.common.watermark_strategy import TimestampAssigner
from pyflink.datastream import MapFunction
from pyflink.datastream.window import TumblingEventTimeWindows

PAIR = Types.TUPLE([Types.LONG(), Types.LONG()])
_LONG = Types.LONG()


class NumberAsTime(TimestampAssigner):
    """Takes the number of a record, one less than its value, as the event time."""

    def extract_timestamp(self, value, record_timestamp):
        """Return the number."""
        return value[1] - 1


def add(a, b):
    """Sum the second fields."""
    return a[0], a[1] + b[1]


def program(numbers, case):
    """Apply the program of a case to record numbers."""
    keys, touched = case.keys, case.touched
    if touched:
        pairs = numbers.map(
            lambda n: (n if n < keys else n % touched, n + 1),
            output_type=PAIR,
        )
    else:
        pairs = numbers.map(lambda n: (n * 7919 % keys, n + 1), output_type=PAIR)
    if case.kind == "reduce":
        return pairs.key_by(lambda pair: pair[0], key_type=_LONG).reduce(add)
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(NumberAsTime())
    keyed = pairs.assign_timestamps_and_watermarks(strategy).key_by(lambda pair: pair[0], key_type=_LONG)
    return keyed.window(TumblingEventTimeWindows.of(Time.milliseconds(case.window_millis))).reduce(add)


def parse(line):
    """Return the number and the time of creation in a line of the feed."""
    number, created = line.split(",")
    return int(number), int(created)


def timed_program(lines, case):
    """Apply the program of a case that measures latency; results are pairs with a time of creation."""
    parsed = lines.map(parse, output_type=PAIR)
    if case.kind == "stateless":
        return parsed.map(lambda pair: (pair[0] * 2, pair[1]), output_type=PAIR)
    keys = case.keys
    ones = parsed.map(lambda pair: (pair[0] % keys, pair[1]), output_type=PAIR)
    return ones.key_by(lambda pair: pair[0], key_type=_LONG).reduce(lambda a, b: (a[0], b[1]))


class WriteLatency(MapFunction):
    """Writes the latency of each record to a file of its own."""

    def __init__(self, path):
        self._path = path

    def open(self, runtime_context):
        """Open the file."""
        self._file = open(f"{self._path}-{uuid4().hex}", "w", buffering=1)  # noqa: SIM115

    def close(self):
        """Close the file."""
        self._file.close()

    def map(self, value):
        """Write the latency."""
        now = time.time_ns()
        self._file.write(f"{now},{now - value[1]}\n")
        return value
