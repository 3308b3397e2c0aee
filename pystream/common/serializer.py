"""TypeSerializer: serialization of a user's own windows."""

from __future__ import annotations

from io import BytesIO

from pystream.engine.windows.windows import WindowSerializer as TypeSerializer

__all__ = ["TypeSerializer", "VoidNamespaceSerializer"]


class VoidNamespaceSerializer(TypeSerializer[bytes]):
    """Write nothing and read ``b""``: the namespace of state outside of windows.

    Mirrors ``pyflink.common.serializer.VoidNamespaceSerializer``.
    """

    def serialize(self, element: bytes, stream: BytesIO) -> None:
        """Write nothing."""

    def deserialize(self, stream: BytesIO) -> bytes:
        """Return ``b""`` and leave the stream where it is."""
        return b""
