"""A mypy plugin for exact element types where signatures alone cannot express them.

Turn it on in ``pyproject.toml``::

    [tool.mypy]
    plugins = ["typeinfo.mypy_plugin"]

With it mypy knows ``Types.TUPLE([A, B])``, ``Types.ROW([A, B])`` and ``Types.ROW_NAMED(["a", "b"], [A, B])``
to the last field, checks ``row["a"]``, ``row.a`` and ``row[0]``, types ``stream.project(0, 2)`` and
``stream.key_by("a")``, looks up the field of ``sum("a")``, holds a function against its declared
``output_type`` and the keys of connected and joined streams against each other, and knows the key of a
bare ``Context``. Fields that the call does not show, such as those of a list variable, are ``Any`` as
without the plugin.

A named row is a ``Row`` of an anonymous TypedDict, so ``def f(row: Row[Point])`` with
``class Point(TypedDict)`` accepts it. The package runs inside mypy only: nothing else imports it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path

from mypy.plugin import (
    AttributeContext,
    FunctionContext,
    FunctionSigContext,
    MethodContext,
    MethodSigContext,
    Plugin,
)
from mypy.types import FunctionLike, Type

from typeinfo.mypy_plugin.factories import FACTORIES, FactoryHooks
from typeinfo.mypy_plugin.lookups import ROW
from typeinfo.mypy_plugin.rows import RowHooks
from typeinfo.mypy_plugin.signatures import SignatureHooks
from typeinfo.mypy_plugin.streams import StreamHooks

__all__ = ["TypesPlugin", "plugin"]

# mypy drops its cache when this changes; by itself it looks at this file alone.
__version__ = sha256(
    b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
).hexdigest()


def plugin(version: str) -> type[Plugin]:
    """Return the plugin class; mypy calls this with its version."""
    return TypesPlugin


class TypesPlugin(FactoryHooks, RowHooks, SignatureHooks, StreamHooks):
    """The hooks, found by the full name of the callee."""

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        return self._factory_hook(fullname)

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        if fullname == f"{ROW}.__getitem__":
            return self._row_item
        owner, _, method = fullname.rpartition(".")
        stream_hook = self._stream_hook(owner, method)
        if stream_hook is not None:
            return stream_hook
        if method in ("get_current_key", "window"):
            owners = self._context_owners(owner, method)
            if owners:
                return partial(self._current, owners)
        return self._factory_hook(fullname)

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        owner, _, name = fullname.rpartition(".")
        return partial(self._row_attribute, name) if owner == ROW else None

    def get_function_signature_hook(
        self, fullname: str
    ) -> Callable[[FunctionSigContext], FunctionLike] | None:
        if fullname in FACTORIES:
            return self._explain_lost_fields
        return self._bind_declared_types if fullname.startswith("pystream.") else None

    def get_method_signature_hook(self, fullname: str) -> Callable[[MethodSigContext], FunctionLike] | None:
        if fullname == f"{ROW}.__setitem__":
            return self._row_assignment
        if fullname in FACTORIES:
            return self._explain_lost_fields
        return self._bind_declared_types if fullname.startswith("pystream.") else None
