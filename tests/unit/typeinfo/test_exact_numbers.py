"""BIG_DEC and BIG_INT keep their digits between functions; columns hold 38 of them, exactly or not at all."""

from __future__ import annotations

from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, localcontext
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typeinfo import TypeCheckError, TypeInformation, Types
from typeinfo.serde import serializer_for
from typeinfo.serde.registry import key_encoder

COLUMN = Decimal("1E-18")
DECIMALS = st.decimals(allow_nan=False, allow_infinity=False) | st.builds(
    lambda digits, exponent: Decimal(digits).scaleb(exponent, Context(prec=60)),
    st.integers(-(10**22), 10**22),
    st.integers(-25, 5),
)


@given(st.lists(DECIMALS))
def test_bytes_keep_the_digits_given(values: list[Decimal]) -> None:
    serializer = serializer_for(Types.BIG_DEC())
    back = serializer.deserialize(serializer.serialize(serializer.conform(values)))
    assert list(map(str, back)) == list(map(str, values))


@given(DECIMALS)
def test_a_column_holds_a_number_exactly_or_refuses_it(value: Decimal) -> None:
    serializer = serializer_for(Types.BIG_DEC())
    with localcontext(Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)):
        fits = abs(value) < 10**20 and (not value or value.normalize().as_tuple().exponent >= -18)
    if fits:
        (back,) = serializer.from_batch(serializer.to_batch([value]))
        assert back == value
        assert back.as_tuple().exponent == -18
    else:
        with pytest.raises(TypeCheckError, match=r"does not fit a column of BIG_DEC, decimal\(38, 18\)"):
            serializer.to_batch([value])


@given(DECIMALS, DECIMALS)
def test_equal_decimals_are_one_key(a: Decimal, b: Decimal) -> None:
    encode = key_encoder(Types.BIG_DEC())
    with localcontext(Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)):
        assert encode(a) == encode(a.normalize())
    assert (encode(a) == encode(b)) == (a == b)


@pytest.mark.parametrize(
    ("t", "value", "message"),
    [
        (Types.BIG_DEC(), Decimal("1E+20"), "it has more than 20 integer digits; use Types.STRING()"),
        (Types.BIG_DEC(), Decimal("99999999999999999999.9999999999999999995"), "does not fit a column"),
        (Types.BIG_DEC(), Decimal("0.5E-18"), "more than 18 digits after the point; quantize it first"),
        (
            Types.BIG_INT(),
            10**38,
            "an integer of 39 digits does not fit a column of BIG_INT, decimal(38, 0); use Types.STRING()",
        ),
        (Types.BIG_INT(), -(10**500), "does not fit a column of BIG_INT"),
    ],
)
def test_a_refusal_by_a_column_names_the_element(t: TypeInformation[Any], value: Any, message: str) -> None:
    serializer = serializer_for(Types.OBJECT_ARRAY(t))
    good = Decimal(1) if t == Types.BIG_DEC() else 1
    with pytest.raises(TypeCheckError) as caught:
        serializer.to_batch([[good, None], [good], [None, value]])
    assert message in str(caught.value)
    assert (caught.value.index, caught.value.path) == (2, "[1]")


@given(st.lists(st.integers(-(10**60), 10**60)))
def test_bytes_keep_integers_of_any_size(values: list[int]) -> None:
    serializer = serializer_for(Types.BIG_INT())
    assert serializer.deserialize(serializer.serialize(serializer.conform(values))) == values
