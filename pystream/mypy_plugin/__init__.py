"""A mypy plugin for the element types of streams; includes the plugin of ``typeinfo``.

Enable it in ``pyproject.toml``::

    [tool.mypy]
    plugins = ["pystream.mypy_plugin"]

In addition to `typeinfo.mypy_plugin`, mypy then infers the types of ``stream.project(0, 2)``,
``stream.key_by("a")`` and ``table.select(col("a"))``, looks up the field of ``sum("a")`` and the columns of
tables, checks functions against their declared ``output_type`` and the keys of connected and joined streams
against each other, and infers the key type of a bare ``Context``. The package runs only inside mypy: nothing
else imports it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from mypy.plugin import AttributeContext, FunctionSigContext, MethodContext, MethodSigContext, Plugin
from mypy.types import FunctionLike, Type

import typeinfo.mypy_plugin
from pystream.mypy_plugin.signatures import SignatureHooks
from pystream.mypy_plugin.tables import TableHooks
from typeinfo.mypy_plugin import TypesPlugin, version_of

__all__ = ["StreamsPlugin", "plugin"]

__version__ = version_of(__file__, typeinfo.mypy_plugin.__file__)


def plugin(version: str) -> type[Plugin]:
    """Return the plugin class; mypy calls this with its version."""
    return StreamsPlugin


class StreamsPlugin(TypesPlugin, SignatureHooks, TableHooks):
    """The hooks of streams and tables, after those of types and rows."""

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        own = super().get_method_hook(fullname)
        if own is not None:
            return own
        owner, _, method = fullname.rpartition(".")
        found = self._stream_hook(owner, method) or self._table_hook(owner, method)
        if found is not None:
            return found
        owners = self._context_owners(owner, method) if method in ("get_current_key", "window") else None
        return partial(self._current, owners) if owners else None

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        return super().get_attribute_hook(fullname) or self._column_hook(*fullname.rpartition(".")[::2])

    def get_function_signature_hook(
        self, fullname: str
    ) -> Callable[[FunctionSigContext], FunctionLike] | None:
        own = super().get_function_signature_hook(fullname)
        return self._bind_declared_types if own is None and fullname.startswith("pystream.") else own

    def get_method_signature_hook(self, fullname: str) -> Callable[[MethodSigContext], FunctionLike] | None:
        own = super().get_method_signature_hook(fullname)
        return self._bind_declared_types if own is None and fullname.startswith("pystream.") else own
