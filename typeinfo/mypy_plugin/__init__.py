"""A mypy plugin for exact types of rows and tuples that signatures alone cannot express.

Enable it in ``pyproject.toml``::

    [tool.mypy]
    plugins = ["typeinfo.mypy_plugin"]

With it, mypy infers all field types of ``Types.TUPLE([A, B])``, ``Types.ROW([A, B])`` and
``Types.ROW_NAMED(["a", "b"], [A, B])``, and checks ``row["a"]``, ``row.a`` and ``row[0]``. Fields not written
in the call, such as those of a list variable, are ``Any`` as without the plugin.

A named row is a ``Row`` of an anonymous TypedDict, so ``def f(row: Row[Point])`` with
``class Point(TypedDict)`` accepts it. The package runs inside mypy only.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path

from mypy.errorcodes import ATTR_DEFINED
from mypy.plugin import (
    AttributeContext,
    FunctionContext,
    FunctionSigContext,
    MethodContext,
    MethodSigContext,
    Plugin,
)
from mypy.types import FunctionLike, Type, TypedDictType

from typeinfo.mypy_plugin.factories import FACTORIES, FactoryHooks
from typeinfo.mypy_plugin.lookups import ROW, named_field

__all__ = ["TypesPlugin", "plugin", "version_of"]


def version_of(*files: str) -> str:
    """Return a version of the given modules' packages that changes with their source.

    mypy drops its cache when the version of a plugin changes; by itself it only checks one of its files.
    """
    paths = (path for file in files for path in sorted(Path(file).parent.glob("*.py")))
    return sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()


__version__ = version_of(__file__)


def plugin(version: str) -> type[Plugin]:
    """Return the plugin class; mypy calls this with its version."""
    return TypesPlugin


class TypesPlugin(FactoryHooks):
    """The hooks of types and rows, found by the full name of the callee."""

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        return self._factory_hook(fullname)

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        return self._row_item if fullname == f"{ROW}.__getitem__" else self._factory_hook(fullname)

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        owner, _, name = fullname.rpartition(".")
        return partial(self._row_attribute, name) if owner == ROW else None

    def get_function_signature_hook(
        self, fullname: str
    ) -> Callable[[FunctionSigContext], FunctionLike] | None:
        return self._explain_lost_fields if fullname in FACTORIES else None

    def get_method_signature_hook(self, fullname: str) -> Callable[[MethodSigContext], FunctionLike] | None:
        if fullname == f"{ROW}.__setitem__":
            return self._row_assignment
        return self._explain_lost_fields if fullname in FACTORIES else None

    def _row_item(self, ctx: MethodContext) -> Type:
        if not ctx.arg_types[0]:
            return ctx.default_return_type
        key = ctx.arg_types[0][0]
        return self._field(ctx.api, ctx.type, key, ctx.context) or ctx.default_return_type

    def _row_assignment(self, ctx: MethodSigContext) -> FunctionLike:
        signature = ctx.default_signature
        if not ctx.args[0]:
            return signature
        key = ctx.api.get_expression_type(ctx.args[0][0])
        field = self._field(ctx.api, ctx.type, key, ctx.context)
        return (
            signature if field is None else signature.copy_modified(arg_types=[signature.arg_types[0], field])
        )

    def _row_attribute(self, name: str, ctx: AttributeContext) -> Type:
        fields = self._fields(ctx.type)
        if not isinstance(fields, TypedDictType):
            return ctx.default_attr_type
        return named_field(ctx.api, fields, name, ctx.context, ATTR_DEFINED) or ctx.default_attr_type
