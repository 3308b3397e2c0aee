"""Laws that all types and their serializers obey, to be called from your own tests.

Each law takes a type, a class that ``Types.of`` knows (a registered one too), a serializer of your own, or a
`Subject`. It searches for values that violate it, or checks the values it is given::

    def test_orders_obey_the_laws():
        check_all(Order)

A violation is a `LawViolation`: the law, the type, the smallest values found, and a program to paste.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from typeinfo.testing.laws.evolution import check_evolution
from typeinfo.testing.laws.independence import check_independence
from typeinfo.testing.laws.keys import check_keys
from typeinfo.testing.laws.law import Law
from typeinfo.testing.laws.round_trips import (
    check_batching,
    check_encodings_agree,
    check_round_trip,
    check_schemas,
    check_spark_collect,
    check_type_is_value,
    spark_law,
)
from typeinfo.testing.laws.search import hold
from typeinfo.testing.laws.subject import Checked, LawViolation, Subject
from typeinfo.testing.laws.validation import check_conforming, check_misfits_refused, check_other_forms

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = [
    "ALL_LAWS",
    "Law",
    "LawViolation",
    "Subject",
    "check_all",
    "check_batching",
    "check_conforming",
    "check_encodings_agree",
    "check_evolution",
    "check_independence",
    "check_keys",
    "check_misfits_refused",
    "check_other_forms",
    "check_round_trip",
    "check_schemas",
    "check_spark_collect",
    "check_type_is_value",
    "laws_of",
]

ALL_LAWS: tuple[Law, ...] = (
    check_type_is_value,
    check_schemas,
    check_conforming,
    check_round_trip,
    check_encodings_agree,
    check_batching,
    check_independence,
    check_evolution,
    check_other_forms,
    check_keys,
    check_misfits_refused,
)
"""Every law that needs no engine."""


def laws_of(subject: Checked) -> tuple[Law, ...]:
    """Return the laws that apply to a type, a class, a serializer or a `Subject`."""
    t = Subject.of(subject).type
    return tuple(law for law in ALL_LAWS if law.applies(t))


def check_all(
    subject: Checked,
    values: Sequence[Any] | None = None,
    *,
    strategy: SearchStrategy[Any] | None = None,
    examples: int = 100,
    session: Any = None,
) -> None:
    """Check all laws for some values, or search for values that violate one.

    Args:
        subject: a type, a class that ``Types.of`` knows, a `TypeSerializer` or a `Subject`.
        values: one batch of values, as the serializer returns them; with ``None``, Hypothesis makes
            batches, always the same ones.
        strategy: makes single values, where ``typeinfo.testing.strategies.values`` is not to.
        examples: how many batches are tried.
        session: a SparkSession, for the law about Spark as well, with at most 10 batches.

    Raises:
        LawViolation: a law does not hold; the values are as few and small as Hypothesis found.
    """
    found = Subject.of(subject)
    hold(laws_of(found), found, values, strategy, examples)
    if session is not None:
        hold((spark_law(session),), found, values, strategy, min(examples, 10))
