"""The arguments of the functions that check laws."""

from dataclasses import dataclass

from pystream.common import Types
from typeinfo.serde import serializer_for
from typeinfo.testing.laws import check_all, check_round_trip, laws_of


@dataclass
class Order:
    id: int


def subjects() -> None:
    check_all(Order)
    check_all(list[Order])
    check_all(Types.of(Order), [Order(1)])
    check_round_trip(serializer_for(Types.INT()), examples=10)
    laws_of(Types.INT())


def no_subjects() -> None:
    check_all(3)  # E: Argument 1 to "check_all" has incompatible type "int"
    check_round_trip(Order(1))  # E: has incompatible type "Order"
    laws_of("Order.id")  # E: "laws_of"
