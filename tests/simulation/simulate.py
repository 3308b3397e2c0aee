"""One seed: a random program, run by a random cluster, and compared with its models."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from pystream.engine.events import MAX_WATERMARK, NO_TIMESTAMP, Elements, Watermark
from pystream.engine.operators.assign_watermarks import ASSIGN_WATERMARKS
from pystream.engine.spec import OperatorSpec
from pystream.engine.task_info import Execution
from pystream.hosts.lowering import Stage
from tests.simulation.cluster import Chances, Cluster, Step
from tests.simulation.models import Value, Windows, in_batches, in_stream
from tests.simulation.programs import Program, Source, marked, prepared, random_program
from tests.unit.engine.windows.model import FixedWindows, Sessions

__all__ = ["simulate"]

Stamped = tuple[Any, int]
Marked = tuple[Value, int, int]  # element, event time, the watermark before it


def simulate(seed: int) -> None:
    """Run the program of a seed.

    Raises:
        AssertionError: it gives something else than its models.
    """
    random = Random(seed)
    program = random_program(random)
    execution = Execution(
        batch=program.batch,
        watermark_interval=random.choice([0, 0, 50]),
        bundle_size=random.choice([1, 3, 1_000]),
    )
    chances = Chances(
        batch=random.choice([1, 3, 100]),
        stay=random.choice([0.0, 0.5, 0.95]),
        tick=random.choice([0.0, 0.2]),
        restart=random.choice([0.0, 0.0, 0.1, 1.0]),
    )
    try:
        cluster = Cluster(program.stages, execution, chances, random)
        _check_exchange(program, cluster)
        _check_operator(program, cluster)
        if program.windows is not None:
            _check_windows(program, cluster)
        if program.again is not None:
            _check_again(program, cluster)
    except Exception as error:
        error.add_note(f"seed {seed}: {program}\n{execution}\n{chances}")
        raise


def _check_exchange(program: Program, cluster: Cluster) -> None:
    """Each key's elements come to one subtask, in the order and behind the watermarks they were sent with."""
    stage, key_of = program.stage, program.key_of
    received = {
        index: _received(cluster.traces[stage.chain, index]) for index in range(stage.task.parallelism)
    }
    owner: dict[str, int] = {}
    for index, channels in received.items():
        for elements in channels.values():
            for value, _, _ in elements:
                key = key_of(value)
                assert owner.setdefault(key, index) == index, f"key {key!r} is in two subtasks"
    for edge, source in zip(stage.inputs, program.sources, strict=True):
        sender = next(stage for stage in program.stages if stage.chain == edge.source)
        for channel in range(sender.task.parallelism):
            sent = _sent(cluster, sender, channel, source, program.batch)
            for index, channels in received.items():
                expected = [element for element in sent if owner[key_of(element[0])] == index]
                got = channels.get((edge.number, channel), [])
                if program.batch:
                    assert _by_key(got) == _by_key(expected), f"edge {edge.number} channel {channel}"
                else:
                    assert got == expected, f"edge {edge.number} channel {channel} subtask {index}"


def _by_key(elements: list[Marked]) -> dict[str, list[Marked]]:
    found: dict[str, list[Marked]] = {}
    for element in elements:
        found.setdefault(element[0][0], []).append(element)
    return found


def _received(steps: list[Step]) -> dict[Any, list[Marked]]:
    """Return the events that each channel received."""
    found: dict[Any, list[Marked]] = {}
    marks: dict[Any, int] = {}
    for arrival, _ in steps:
        channel = arrival.channel
        if isinstance(arrival.event, Watermark):
            marks[channel] = arrival.event.timestamp
        if isinstance(arrival.event, Elements):
            values, timestamps = arrival.event.values, arrival.event.timestamps
            assert timestamps is not None
            mark = marks.get(channel, NO_TIMESTAMP)
            found.setdefault(channel, []).extend(
                (value, timestamp, mark) for value, timestamp in zip(values, timestamps, strict=True)
            )
    return found


def _sent(cluster: Cluster, sender: Stage, channel: int, source: Source, batch: bool) -> list[Marked]:
    """Return the events that a subtask sends: its elements, and watermarks after elements or bundles."""
    execution = cluster.execution
    sent: list[Marked] = []
    mark, highest, emitted_at = NO_TIMESTAMP, NO_TIMESTAMP, None

    def look(now: int) -> None:
        nonlocal mark, emitted_at
        if batch or source.punctuated:
            return
        if execution.watermark_interval:
            emitted_at = now if emitted_at is None else emitted_at
            if now - emitted_at < execution.watermark_interval:
                return
            emitted_at = now
        if source.bound is not None and highest > NO_TIMESTAMP:
            mark = max(mark, highest - source.bound - 1)

    before = _chained(sender, source)
    for arrival, now in cluster.traces[sender.chain, channel]:
        if not isinstance(arrival.event, Elements):
            continue
        size = execution.bundle_size if execution.watermark_interval else 1
        if execution.watermark_interval:
            look(now)
        values = prepared(arrival.event.values, before)
        for start in range(0, len(values), size):
            for value in values[start : start + size]:
                sent.append((value, value[1], mark))
                highest = max(highest, value[1])
                if source.punctuated and source.bound is not None and marked(value) and not batch:
                    mark = max(mark, highest - source.bound - 1)
            look(now)
    return sent


def _chained(sender: Stage, source: Source) -> tuple[str, ...]:
    """The functions before the watermarks that are in the same task."""
    count, operator = 0, sender.task.consumers[0]
    while isinstance(operator, OperatorSpec) and operator.kind != ASSIGN_WATERMARKS:
        count, operator = count + 1, operator.consumers[0]
    return source.before[len(source.before) - count :]


def _check_operator(program: Program, cluster: Cluster) -> None:
    """Each subtask has the results of its model for the events that reached it."""
    stage = program.stage
    for index in range(stage.task.parallelism):
        steps = cluster.traces[stage.chain, index]
        if program.batch:
            expected = in_batches(steps, program.make, program.key_of)
        else:
            expected = in_stream(steps, program.make(), stage.task.channels)
        for tag, edge in program.ends.items():
            got: list[Stamped] = cluster.collected(edge, index)
            wanted = [(value, timestamp) for own, value, timestamp in expected if own == tag]
            where = f"subtask {index}, tag {tag}"
            if program.exact:
                assert _plain(got) == _plain(wanted), where
            else:
                assert _in_order_of_key(got) == _in_order_of_key(wanted), where


def _plain(results: list[Stamped]) -> list[Stamped]:
    return [(_unordered(value), timestamp) for value, timestamp in results]


def _in_order_of_key(results: list[Stamped]) -> dict[str, list[Stamped]]:
    found: dict[str, list[Stamped]] = {}
    for value, timestamp in results:
        found.setdefault(value[0], []).append((_unordered(value), timestamp))
    return found


def _unordered(value: Any) -> Any:
    """Return a result without the order of elements in merged windows, which is not guaranteed."""
    if len(value) == 4 and isinstance(value[3], tuple) and isinstance(value[1], int):
        return (*value[:3], tuple(sorted(value[3])))
    return value


def _check_windows(program: Program, cluster: Cluster) -> None:
    """If no element can be late, each window holds all of its elements, however the program is run."""
    assert program.windows is not None
    if not _is_punctual(program):
        return
    model = program.windows()
    for source in program.sources:
        for value in prepared(source.elements, source.before):
            model.element(0, value, value[1], 0)
    model.advance(MAX_WATERMARK, 0)
    expected = [(value, timestamp) for tag, value, timestamp in model.out]
    assert Counter(_plain(_results(program, cluster))) == Counter(_plain(expected)), "all windows"


def _is_punctual(program: Program) -> bool:
    """Return whether no element can arrive after a watermark that fires a window it belongs to.

    An element right at the end of a session belongs to it, but is not late when that fires.
    """
    assert program.windows is not None
    margin = isinstance(program.windows().windows, Sessions)
    return program.batch or all(
        source.bound is None or source.disorder + margin <= source.bound for source in program.sources
    )


def _results(program: Program, cluster: Cluster) -> list[Stamped]:
    edge = program.ends[None]
    subtasks = range(program.stage.task.parallelism)
    return [result for index in subtasks for result in cluster.collected(edge, index)]


def _check_again(program: Program, cluster: Cluster) -> None:
    """Results reach the next windows with their event times, behind their watermarks."""
    assert program.again is not None
    stage, edge = program.again
    arrived: Counter[Stamped] = Counter()
    held = 0
    for index in range(stage.task.parallelism):
        steps = cluster.traces[stage.chain, index]
        if program.batch:
            expected = in_batches(steps, _windows_again, lambda value: value[0])
        else:
            expected = in_stream(steps, _windows_again(), stage.task.channels)
        wanted = [(value, 0) for tag, value, _ in expected if tag is None]
        got = [(value, 0) for value in cluster.collected(edge, index)]
        assert _in_order_of_key(got) == _in_order_of_key(wanted), f"again, subtask {index}"
        held += sum(len(value[3]) for value, _ in got)
        for elements in _received(steps).values():
            arrived.update(_plain([(value, timestamp) for value, timestamp, _ in elements]))
    results = _plain(_results(program, cluster))
    assert arrived == Counter(results), "what the second windows get"
    if _is_punctual(program):
        assert held == len(results), "a result was late for the second windows"


def _windows_again() -> Windows:
    return Windows(FixedWindows(100, 100, 0, 0), 0, False, _gathered)


def _gathered(key: str, start: int, end: int, values: list[Any]) -> Any:
    return key, start, end, tuple(values)
