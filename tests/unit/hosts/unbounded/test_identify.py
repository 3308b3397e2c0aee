"""The identity of a job, from its plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pystream.common import Types
from pystream.datastream import BroadcastProcessFunction, StreamExecutionEnvironment
from pystream.datastream.state import MapStateDescriptor
from pystream.hosts.lowering import lower
from pystream.hosts.unbounded.identify import identity_of, known_states
from pystream.hosts.unbounded.identity import JobIdentity, OperatorIdentity, StateInfo, compare

RULES = MapStateDescriptor("rules", Types.STRING(), Types.LONG())


class Rules(BroadcastProcessFunction[Any, Any, Any]):
    def process_element(self, value: Any, ctx: Any) -> Iterator[Any]:
        yield value

    def process_broadcast_element(self, value: Any, ctx: Any) -> Iterator[Any]:
        yield value


def words(*, with_upper: bool = False) -> JobIdentity:
    env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(2).set_max_parallelism(64)
    lines = env.from_collection(["a"], Types.STRING()).uid("lines")
    if with_upper:
        lines = lines.map(str.upper, Types.STRING())
    pairs = lines.map(lambda word: (word, 1), Types.TUPLE([Types.STRING(), Types.LONG()])).uid("pairs")
    pairs.key_by(lambda pair: pair[0], Types.STRING()).sum(1).uid("counts").name("Counts").print().uid("out")
    return identity(env)


def identity(env: StreamExecutionEnvironment) -> JobIdentity:
    plan = env._request(env._builder.pending, None).plan
    return identity_of("j", plan, known_states(lower(plan, batch=False, by_epochs=True)))


def test_operators_of_a_job() -> None:
    lines, pairs, counts, out = words().operators
    assert lines == OperatorIdentity(
        "lines", "Collection Source", "Source", lines.chain, 2, 64, has_state=True
    )
    assert (pairs.kind, pairs.parallelism, pairs.has_state) == ("Map", 2, False)
    assert (counts.name, counts.key_type, counts.has_state) == ("Counts", "String", True)
    assert counts.chain != pairs.chain
    assert (out.uid, out.kind, out.has_state) == ("out", "Sink", False)


def test_broadcast_states_are_known() -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    numbers = env.from_collection([1], Types.LONG())
    rules = env.from_collection([2], Types.LONG()).broadcast(RULES)
    numbers.connect(rules).process(Rules(), Types.LONG()).uid("rules").print()
    operators = {found.uid: found for found in identity(env).operators}
    assert operators["rules"].states == (
        StateInfo("broadcast:rules", "BroadcastState", str(RULES.type_info)),
    )
    assert operators["rules"].has_state


def test_an_operator_added_moves_those_after_it() -> None:
    found = compare(words(), words(with_upper=True))
    assert [operator.kind for operator in found.added] == ["Map"]
    assert "counts" in {operator.uid for operator in found.moved}
    found.check(allow_non_restored_state=False)
