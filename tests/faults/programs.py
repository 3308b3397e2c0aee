"""The programs to disturb: ``pystream run tests/faults/programs.py REQUEST``, with a request in JSON.

The program runs until the file ``drain`` appears in the directory of the control files; then it stops with a
savepoint and all windows and timers fire.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from pystream.common import Duration, Encoder, JobClient, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    DataStream,
    KeyedProcessFunction,
    MapFunction,
    OutputTag,
    ProcessFunction,
    ProcessWindowFunction,
    RuntimeContext,
    StreamExecutionEnvironment,
)
from pystream.datastream.connectors.file_system import (
    FileSink,
    FileSource,
    FileSourceBuilder,
    RollingPolicy,
    StreamFormat,
)
from pystream.datastream.formats.csv import CsvReaderFormat, CsvSchema
from pystream.datastream.state import MapStateDescriptor, ValueStateDescriptor
from pystream.datastream.window import TimeWindow, TumblingEventTimeWindows
from pystream.errors import PyStreamError
from pystream.hosts.local import state_log
from pystream.hosts.unbounded.epoch_log import EpochLog
from tests.faults.disturbances import AtRecord, Disturbance, InjectedError, Marks, install
from tests.faults.records import FILE_MILLIS, WINDOW_MILLIS, Record
from tests.faults.request import Request

_RECORD = Types.TUPLE([Types.LONG(), Types.STRING(), Types.LONG(), Types.LONG()])
_TOTAL = Types.TUPLE([Types.LONG(), Types.STRING(), Types.LONG()])
_REFUSED = OutputTag("refused", Types.STRING())
_COUNTED = OutputTag("counted", Types.STRING())
_BAD = OutputTag("bad", Types.STRING())
_FAILURES = (PyStreamError, InjectedError, OSError)
_EPOCHS_BETWEEN_FULL = 2


class Disturber:
    """Disturbs the job at a place of the program when certain records pass, and at steps of commits."""

    def __init__(self, place: str, request: Controlled) -> None:
        self._disturbances = request.disturbances
        self.marks = Marks(Path(request.control))
        self._at = {
            each.number: each
            for each in request.disturbances
            if isinstance(each, AtRecord) and each.place == place
        }

    def open(self) -> None:
        """Prepare the process."""
        install(self._disturbances, self.marks)

    def pass_record(self, number: int) -> None:
        """Disturb the job if the record of this number is to do so."""
        if number in self._at:
            self.marks.disturb(self._at[number].name, self._at[number].action)


class Parse(MapFunction[str, tuple[int, str, int, int]]):
    """Parses lines, and notes the numbers of the records in a file of the process."""

    def __init__(self, disturber: Disturber) -> None:
        self._disturber = disturber

    def open(self, runtime_context: RuntimeContext) -> None:
        """Open the file."""
        self._disturber.open()
        self._seen = (self._disturber.marks.directory / f"seen-{os.getpid()}").open("a", buffering=1)

    def close(self) -> None:
        """Close the file."""
        self._seen.close()

    def map(self, value: str) -> tuple[int, str, int, int]:
        """Return the record of a line."""
        record = Record.parse(value)
        self._disturber.pass_record(record.number)
        self._seen.write(f"{record.number}\n")
        return record.number, record.user, record.amount, record.millis


class PassToSink(MapFunction[str, str]):
    """Prepares the process of a sink for disturbances."""

    def __init__(self, disturber: Disturber) -> None:
        self._disturber = disturber

    def open(self, runtime_context: RuntimeContext) -> None:
        """Prepare the process."""
        self._disturber.open()

    def map(self, value: str) -> str:
        """Return the element."""
        return value


class RecordTime(TimestampAssigner[Any]):
    """Takes the last field of a record as its event time."""

    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        """Return the event time."""
        millis: int = value[3]
        return millis


class SumWindow(ProcessWindowFunction[Any, str, str, TimeWindow]):
    """Adds up the amounts of a window."""

    def __init__(self, disturber: Disturber) -> None:
        self._disturber = disturber

    def process(self, key: str, context: Any, elements: Any) -> Iterator[str]:
        """Yield a line with the key, the start of the window, the count and the total."""
        for element in elements:
            self._disturber.pass_record(element[0])
        amounts = [element[2] for element in elements]
        yield f"{key},{context.window().start},{len(amounts)},{sum(amounts)}"


class TotalByUser(KeyedProcessFunction[str, Any, Any]):
    """Adds up the amounts of a user by time; counts and refuses records to side outputs."""

    def __init__(self, disturber: Disturber) -> None:
        self._disturber = disturber

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the states."""
        self._seen = runtime_context.get_state(ValueStateDescriptor("seen", Types.LONG()))
        self._totals = runtime_context.get_map_state(MapStateDescriptor("totals", Types.LONG(), Types.LONG()))

    def process_element(self, value: Any, ctx: Any) -> Iterator[Any]:
        """Add a record, or refuse it."""
        number, user, amount, millis = value
        self._disturber.pass_record(number)
        if amount < 0:
            yield _REFUSED, f"{number},{user}"
            return
        seen = (self._seen.value() or 0) + 1
        self._seen.update(seen)
        yield _COUNTED, f"{user},{seen}"
        end = millis // WINDOW_MILLIS * WINDOW_MILLIS + WINDOW_MILLIS
        self._totals.put(end, (self._totals.get(end) or 0) + amount)
        ctx.timer_service().register_event_time_timer(end)

    def on_timer(self, timestamp: int, ctx: Any) -> Iterator[Any]:
        """Yield the total of the time that ends."""
        total = self._totals.get(timestamp)
        self._totals.remove(timestamp)
        yield timestamp, ctx.get_current_key(), total


class TotalOfAll(KeyedProcessFunction[int, Any, str]):
    """Adds up the totals of all users by time."""

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the states."""
        self._users = runtime_context.get_state(ValueStateDescriptor("users", Types.LONG()))
        self._total = runtime_context.get_state(ValueStateDescriptor("total", Types.LONG()))

    def process_element(self, value: Any, ctx: Any) -> None:
        """Add the total of a user."""
        end, _, total = value
        self._users.update((self._users.value() or 0) + 1)
        self._total.update((self._total.value() or 0) + total)
        ctx.timer_service().register_event_time_timer(end + 1)

    def on_timer(self, timestamp: int, ctx: Any) -> Iterator[str]:
        """Yield the total of the time that has ended."""
        yield f"{ctx.get_current_key()},{self._users.value()},{self._total.value()}"
        self._users.clear()
        self._total.clear()


class Sift(ProcessFunction[str, str]):
    """Sends lines that are no records to a side output."""

    def process_element(self, value: str, ctx: Any) -> Iterator[Any]:
        """Yield the line."""
        try:
            Record.parse(value)
        except ValueError:
            yield _BAD, value
        else:
            yield value


def source_of(request: Request) -> FileSourceBuilder[Any]:
    """Return the source of a request: of rows if the source skips bad lines, else of lines."""
    if request.bad_lines != "skipped":
        return FileSource.for_record_stream_format(StreamFormat.text_line_format(), request.input)
    columns = CsvSchema.builder().add_number_column("number").add_string_column("user")
    schema = columns.add_number_column("amount").add_number_column("millis").build()
    csv = CsvReaderFormat.for_schema(schema, ignore_parse_errors=True)
    return FileSource.for_record_stream_format(csv, request.input)


def _lines(env: StreamExecutionEnvironment, source: FileSource[Any], request: Request) -> DataStream[str]:
    read = env.from_source(source, WatermarkStrategy.no_watermarks(), "files").uid("files")
    if request.bad_lines == "skipped":
        return read.map(lambda row: ",".join(map(str, row)), output_type=Types.STRING()).uid("lines")
    if request.bad_lines:
        sifted = read.process(Sift(), output_type=Types.STRING()).uid("sift")
        _write(sifted.get_side_output(_BAD), "bad", request)
        return sifted
    return read


def build(env: StreamExecutionEnvironment, source: FileSource[Any], request: Request) -> None:
    """Add the program of a request to the environment."""
    lines = _lines(env, source, request)
    strategy = WatermarkStrategy.for_bounded_out_of_orderness(
        Duration.of_millis(FILE_MILLIS)
    ).with_timestamp_assigner(RecordTime())
    records = (
        lines.map(Parse(Disturber("source", request)), output_type=_RECORD)
        .uid("parse")
        .assign_timestamps_and_watermarks(strategy)
        .uid("times")
    )
    keyed = records.key_by(lambda record: record[1], key_type=Types.STRING())
    disturber = Disturber("keyed", request)
    if request.program == "windows":
        windows = (
            keyed.window(TumblingEventTimeWindows.of(Duration.of_millis(WINDOW_MILLIS)))
            .process(SumWindow(disturber), output_type=Types.STRING())
            .uid("sum")
        )
        _write(windows, "windows", request)
        return
    totals = keyed.process(TotalByUser(disturber), output_type=_TOTAL).uid("by user")
    _write(totals.get_side_output(_REFUSED), "refused", request)
    _write(totals.get_side_output(_COUNTED), "counted", request)
    of_all = (
        totals.key_by(lambda total: total[0], key_type=Types.LONG())
        .process(TotalOfAll(), output_type=Types.STRING())
        .uid("of all")
    )
    _write(of_all, "totals", request)


def _write(stream: DataStream[str], name: str, request: Request) -> None:
    passed = stream.map(PassToSink(Disturber("sink", request)), output_type=Types.STRING()).uid(
        f"pass {name}"
    )
    sink = FileSink.for_row_format(f"{request.output}/{name}", Encoder.simple_string_encoder())
    rolling = RollingPolicy.on_checkpoint_rolling_policy()
    passed.sink_to(sink.with_rolling_policy(rolling).build()).uid(f"write {name}")


def main(text: str) -> None:
    """Run the program of a request until it is drained."""
    request = Request.parse(text)
    (Path(request.control) / "input").write_text(request.input)
    env = StreamExecutionEnvironment.get_execution_environment()
    files = source_of(request)
    build(env, files.monitor_continuously(Duration.of_millis(200)).build(), request)
    run_until_drained(env, f"faults-{request.program}", request)


class Controlled(Protocol):
    """The part of a request that concerns how a program runs, whatever it is."""

    @property
    def control(self) -> str: ...
    @property
    def savepoints(self) -> str: ...
    @property
    def disturbances(self) -> Sequence[Disturbance]: ...


def run_until_drained(env: StreamExecutionEnvironment, name: str, request: Controlled) -> None:
    """Run a program under a name, until the file ``drain`` appears."""
    control = Path(request.control)
    (control / "driver.pid").write_text(str(os.getpid()))
    env.set_parallelism(2)
    env.enable_checkpointing(500)
    install(request.disturbances, Marks(control))
    _shorten_intervals()
    client = env.execute_async(name)
    while not client.get_job_status().result().is_globally_terminal_state():
        if (control / "drain").exists():
            with suppress(*_FAILURES):  # the job restarts, and is asked again
                client.stop_with_savepoint(True, request.savepoints).result()
        _take_savepoint(client, control, request.savepoints)
        time.sleep(0.05)
    client.get_job_execution_result().result()


def _shorten_intervals() -> None:
    """Store full state and whole positions every few epochs, which jobs do every few minutes or hours."""
    state_log._MOST_EPOCHS = _EPOCHS_BETWEEN_FULL
    defaults = EpochLog.__init__.__kwdefaults__
    assert defaults is not None
    defaults["interval"] = _EPOCHS_BETWEEN_FULL


def _take_savepoint(client: JobClient, control: Path, directory: str) -> None:
    """Take a savepoint if the file that asks for it exists."""
    asked = control / "savepoint"
    if asked.exists():
        with suppress(*_FAILURES):  # the job restarts, and is asked again
            client.trigger_savepoint(directory).result()
            asked.unlink()


if __name__ == "__main__":
    main(sys.argv[1])
