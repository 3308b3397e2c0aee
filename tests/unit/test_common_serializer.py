"""The serializers of pystream.common.serializer."""

from __future__ import annotations

from io import BytesIO

from pystream.common import TypeSerializer
from pystream.common.serializer import VoidNamespaceSerializer


def test_the_void_namespace_takes_no_bytes() -> None:
    serializer = VoidNamespaceSerializer()
    assert isinstance(serializer, TypeSerializer)
    stream = BytesIO(b"next")
    serializer.serialize(b"given", stream)
    assert (serializer.deserialize(stream), stream.read()) == (b"", b"next")
