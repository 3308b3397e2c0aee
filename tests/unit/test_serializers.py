"""PickleSerializer."""

from __future__ import annotations

import io

import pytest

from pystream.serializers import PickleSerializer


def test_objects_are_deserialized_in_order() -> None:
    stream = io.BytesIO()
    PickleSerializer().serialize([1, "a", None, {"k": (1.5,)}], stream)
    stream.seek(0)
    assert list(PickleSerializer().deserialize(stream)) == [1, "a", None, {"k": (1.5,)}]


def test_an_empty_stream_has_no_objects() -> None:
    assert list(PickleSerializer().deserialize(io.BytesIO())) == []


def test_one_object() -> None:
    serializer = PickleSerializer()
    assert serializer.loads(serializer.dumps([1])) == [1]


@pytest.mark.parametrize("cut", [1, 6])
def test_a_truncated_stream_is_refused(cut: int) -> None:
    stream = io.BytesIO()
    PickleSerializer().serialize(["abcdef"], stream)
    with pytest.raises(EOFError):
        list(PickleSerializer().deserialize(io.BytesIO(stream.getvalue()[:cut])))


def test_equality() -> None:
    assert PickleSerializer() == PickleSerializer()
    assert hash(PickleSerializer()) == hash(PickleSerializer())
    assert repr(PickleSerializer()) == "PickleSerializer()"
