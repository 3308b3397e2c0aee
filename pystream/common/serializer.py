"""TypeSerializer: base class of serializers of user-defined windows."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from pystream.engine.windows.windows import WindowSerializer as TypeSerializer
from pystream.lazy import re_exports

if TYPE_CHECKING:
    from pystream.common.type_variables import T as T
else:
    __getattr__ = re_exports(__name__)


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
