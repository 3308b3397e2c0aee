"""Separate the sources of an unbounded job from stateful operators: only these have a state store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count

from pystream.engine.spec import ExchangeOutput
from pystream.hosts.lowering import Edge, Stage
from pystream.kinds import PartitionKind

__all__ = ["separate_sources"]


def separate_sources(stages: Iterable[Stage]) -> list[Stage]:
    """Divide each stage with a source and state in two: one reads, and the other receives all elements.

    The former has a chain id of its own, which is negative.

    Args:
        stages: senders before receivers.
    """
    stages = list(stages)
    numbers = count(1 + max((number for stage in stages for number in _edges(stage)), default=0))
    separated: list[Stage] = []
    for stage in stages:
        if stage.source is None or not stage.task.keeps_state:
            separated.append(stage)
        else:
            separated += _separated(stage, next(numbers))
    return separated


def _edges(stage: Stage) -> Iterator[int]:
    yield from stage.outputs
    yield from (edge.number for edge in stage.inputs)


def _separated(stage: Stage, number: int) -> tuple[Stage, Stage]:
    assert stage.source is not None
    chain, task = -1 - stage.chain, stage.task
    exchange = ExchangeOutput(
        edge=number,
        label=task.input_label,
        kind=PartitionKind.FORWARD,
        targets=task.parallelism,
        function=b"",
        type_info=task.input_type,
    )
    reading = Stage(
        chain=chain,
        task=replace(task, name=stage.source.title, consumers=(exchange,), joints=()),
        source=stage.source,
        inputs=(),
        outputs=(number,),
        sinks=(),
        native=stage.native,
        part_of=stage.chain,
    )
    edge = Edge(
        number=number,
        source=chain,
        shuffled=True,
        side=0,
        type_info=task.input_type,
        channels=1,
        by_group=False,
    )
    return reading, replace(stage, source=None, inputs=(edge,), native=())
