"""JobSources: the sources of a job, by the chain ids of their stages and by their uids."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.common import WatermarkStrategy
from pystream.common.watermark_strategy import WatermarkGenerator
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors import NumberSequenceSource
from pystream.engine.connectors.interfaces import Backlog
from pystream.engine.connectors.number_sequence import NumberEnumerator
from pystream.errors import CheckpointError
from pystream.hosts.lowering import Stage, lower
from pystream.hosts.spark.separate_sources import separate_sources
from pystream.hosts.unbounded.job_sources import JobSources


class Latest(WatermarkGenerator):
    """Emits the timestamp of each element; its state is part of checkpoints."""

    def on_event(self, event: Any, event_timestamp: int, output: Any) -> None:
        output.emit_watermark(event_timestamp)

    def on_periodic_emit(self, output: Any) -> None:
        pass


TIMED: WatermarkStrategy[int] = WatermarkStrategy.for_generator(Latest)
UNTIMED: WatermarkStrategy[int] = WatermarkStrategy.no_watermarks()


def stages(*strategies: WatermarkStrategy[int]) -> list[Stage]:
    """Return the stages of a program that reads a sequence with each strategy."""
    env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(2)
    for number, strategy in enumerate(strategies):
        stream = env.from_source(NumberSequenceSource(1, 100), strategy, f"numbers {number}")
        stream.uid(f"source-{number}").map(abs).print()
    return lower(env._request(env._builder.pending, None).plan, batch=False, by_epochs=True)


def test_positions_are_found_and_stored_by_uid() -> None:
    sources = JobSources(stages(UNTIMED, UNTIMED))
    positions = {"source-0": (31, []), "source-1": (51, [61])}
    enumerators = sources.open(positions.__getitem__)
    snapshots = {chain: enumerator.snapshot() for chain, enumerator in enumerators.items()}
    assert sources.by_uid(snapshots) == {"source-0": 31, "source-1": 61}
    assert sources.limits.keys() == enumerators.keys()


def test_a_source_that_is_separated_from_its_stage_is_reported_with_it() -> None:
    (timed, untimed) = whole = stages(TIMED, UNTIMED)
    separated = separate_sources(whole)
    assert [stage.part_of for stage in separated] == [timed.chain, None, None]
    sources = JobSources(separated)
    backlogs = sources.backlogs(sources.open(lambda uid: (31, [])), now=0)
    assert backlogs == {stage.chain: Backlog(70, "records") for stage in (timed, untimed)}


def test_no_enumerator_stays_open_if_one_cannot_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = []
    monkeypatch.setattr(NumberEnumerator, "close", lambda enumerator: closed.append(enumerator.snapshot()))

    def position(uid: str) -> tuple[Any, list[Any]]:
        if uid == "source-1":
            raise CheckpointError("damaged")
        return 31, []

    with pytest.raises(CheckpointError, match="damaged"):
        JobSources(stages(UNTIMED, UNTIMED)).open(position)
    assert closed == [31]
