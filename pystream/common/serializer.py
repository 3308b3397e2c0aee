"""TypeSerializer: base class of serializers of user-defined windows."""

from __future__ import annotations

from io import BytesIO

from pystream.engine.windows.windows import WindowSerializer as TypeSerializer

__all__ = ["TypeSerializer", "VoidNamespaceSerializer"]


class VoidNamespaceSerializer(TypeSerializer[bytes]):
    """Serializer of the empty namespace of state outside of windows. Reads ``b""``.

    Mirrors ``pyflink.common.serializer.VoidNamespaceSerializer``.
    """

    def serialize(self, element: bytes, stream: BytesIO) -> None:
        """Write nothing."""

    def deserialize(self, stream: BytesIO) -> bytes:
        """Return ``b""`` and read nothing from the stream."""
        return b""
