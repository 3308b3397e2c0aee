"""The promises of api.tsv: each is implemented, or exceptions.tsv says why it is not."""

from __future__ import annotations

import pytest

from tests.parity.names import MismatchError, NameTable, promised_parameters
from tests.parity.promises import Promise, read_promises
from tests.parity.table import PARITY, Parity, judge


@pytest.fixture(scope="module")
def parity(request: pytest.FixtureRequest) -> Parity:
    judged = judge()
    request.config.stash[PARITY] = judged.table()
    return judged


def test_every_row_is_implemented_or_excepted(parity: Parity) -> None:
    missing = [f"{v.promise.id} ({v.promise.section}): {v.reason}" for v in parity.missing]
    assert not missing, "\n".join(missing)


def test_exceptions_and_markers_are_true(parity: Parity) -> None:
    assert not parity.contradictions, "\n".join(parity.contradictions)


def test_every_row_is_judged(parity: Parity) -> None:
    assert [verdict.promise for verdict in parity.verdicts] == read_promises()
    assert len({promise.id for promise in read_promises()}) == len(read_promises())


def _method(owner: str, name: str, signature: str) -> Promise:
    return Promise(f"{owner}.{name}", "method", owner, name, signature, "", "env")


_ENVIRONMENT = Promise("e", "class", "pyflink.datastream", "StreamExecutionEnvironment", "class", "", "env")


@pytest.mark.parametrize(
    ("name", "signature", "complaint"),
    [
        ("no_such_method", "no_such_method()", "has no no_such_method"),
        ("set_parallelism", "set_parallelism(degree: int)", "no parameter degree"),
        ("set_parallelism", "set_parallelism()", "demands parallelism"),
        ("from_source", "from_source(watermark_strategy, source)", "watermark_strategy in another place"),
        ("set_parallelism", "set_parallelism(parallelism: int, more: int)", "no parameter more"),
    ],
)
def test_a_name_called_in_another_way_is_missing(name: str, signature: str, complaint: str) -> None:
    table = NameTable([_ENVIRONMENT])
    with pytest.raises(MismatchError, match=complaint):
        table.check(_method("StreamExecutionEnvironment", name, signature))


def test_a_method_that_refuses_every_call_is_missing() -> None:
    stream = Promise("k", "class", "pyflink.datastream", "KeyedStream", "class", "", "keyed")
    with pytest.raises(MismatchError, match="refuses every call"):
        NameTable([stream]).check(_method("KeyedStream", "rebalance", "rebalance()"))


def test_further_optional_parameters_are_allowed() -> None:
    NameTable([_ENVIRONMENT]).check(
        _method("StreamExecutionEnvironment", "from_collection", "from_collection(collection: List[Any])")
    )


@pytest.mark.parametrize(
    ("kind", "signature", "parameters"),
    [
        (
            "method",
            "f(a: Dict[str, Tuple[int, int]], *b, c: int = 5, **d) -> X [static]",
            ["a", "b", "c", "d"],
        ),
        ("method", "f()", []),
        ("class", "class A(object)", None),
        ("class", "class A(Base)", None),
        ("class", "class A(j_a)", None),
        ("class", "class A(sink: Union[str, JavaObject])", None),
        ("class", "class A(start, end)", ["start", "end"]),
        ("class", "class A", None),
        ("format", "A.Builder(type_info).build()", None),
    ],
)
def test_parameters_are_read_from_a_signature(
    kind: str, signature: str, parameters: list[str] | None
) -> None:
    promise = Promise("x", kind, "pyflink.common", "x", signature, "", "env")
    assert promised_parameters(promise) == parameters
