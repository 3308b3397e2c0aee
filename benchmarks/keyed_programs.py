"""The programs of benchmarks/keyed.py for PyFlink, and for pystream under the name of PyFlink."""

import sys
import time

from pyflink.common import Time, Types, WatermarkStrategy
from pyflink.common.watermark_strategy import TimestampAssigner
from pyflink.datastream import KeyedProcessFunction, RuntimeExecutionMode, StreamExecutionEnvironment
from pyflink.datastream.connectors.number_seq import NumberSequenceSource
from pyflink.datastream.state import ValueStateDescriptor
from pyflink.datastream.window import EventTimeSessionWindows, TumblingEventTimeWindows

PAIR = Types.TUPLE([Types.LONG(), Types.LONG()])


class NumberAsTime(TimestampAssigner):
    """Takes the second field as the event time."""

    def extract_timestamp(self, value, record_timestamp):
        """Return the second field."""
        return value[1]


class CountToTimer(KeyedProcessFunction):
    """Counts the elements of a key, and registers a timer for each of them."""

    def open(self, runtime_context):
        """Get the state of the count."""
        self.seen = runtime_context.get_state(ValueStateDescriptor("seen", Types.LONG()))

    def process_element(self, value, ctx):
        """Emit the number of elements so far."""
        seen = (self.seen.value() or 0) + 1
        self.seen.update(seen)
        ctx.timer_service().register_event_time_timer(value[1])
        yield seen

    def on_timer(self, timestamp, ctx):
        """Emit the time of the timer."""
        yield timestamp


def add(a, b):
    """Sum the second fields."""
    return a[0], a[1] + b[1]


def programs(records, mode=None):
    """Return the programs by name. They discard their results."""
    env = StreamExecutionEnvironment.get_execution_environment()
    env.set_parallelism(2)
    if mode is not None:
        env.configure(_python_mode(mode))

    def pairs(keys):
        source = NumberSequenceSource(0, records - 1)
        numbers = env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers", Types.LONG())
        return numbers.map(lambda n: (n * 7919 % keys, n + 1), output_type=PAIR)

    def timed(keys):
        strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(NumberAsTime())
        return (
            pairs(keys).assign_timestamps_and_watermarks(strategy).key_by(lambda pair: pair[0], Types.LONG())
        )

    def discard(stream, batch=False):
        chosen = RuntimeExecutionMode.BATCH if batch else RuntimeExecutionMode.STREAMING
        env.set_runtime_mode(chosen)
        with stream.filter(lambda value: False).execute_and_collect() as left:
            assert not list(left)

    def reduced(keys):
        return pairs(keys).key_by(lambda pair: pair[0], Types.LONG()).reduce(add)

    windows = TumblingEventTimeWindows.of(Time.seconds(100))
    sessions = EventTimeSessionWindows.with_gap(Time.seconds(15))
    return {
        "rolling reduce, 100,000 keys": lambda: discard(reduced(100_000)),
        "reduce in batch mode, 100,000 keys": lambda: discard(reduced(100_000), batch=True),
        "tumbling windows, 10,000 keys": lambda: discard(timed(10_000).window(windows).reduce(add)),
        "session windows, 10,000 keys": lambda: discard(timed(10_000).window(sessions).reduce(add)),
        "a timer per record, 1,000 keys": lambda: discard(timed(1_000).process(CountToTimer(), Types.LONG())),
    }


def _python_mode(mode):
    from pyflink.common import Configuration

    configuration = Configuration()
    configuration.set_string("python.execution-mode", mode)
    return configuration


def _seconds(program):
    started = time.perf_counter()
    program()
    return time.perf_counter() - started


def _rate(name, count, mode):
    """Return the records per second, without the start, of a job at least twice as long as its start."""
    while True:
        few = count // 10
        brief = _seconds(programs(few, mode)[name])
        whole = _seconds(programs(count, mode)[name])
        if whole > 2 * brief:
            return (count - few) / (whole - brief)
        count *= 4


if __name__ == "__main__":
    for program in programs(1):
        print(f"rate\t{program}\t{_rate(program, int(sys.argv[1]), sys.argv[2])}", flush=True)
