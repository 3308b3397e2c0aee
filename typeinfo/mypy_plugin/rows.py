"""Infer types of ``row["a"]``, ``row.a`` and ``row[0]``, read and written."""

from __future__ import annotations

from mypy.errorcodes import ATTR_DEFINED
from mypy.plugin import AttributeContext, MethodContext, MethodSigContext
from mypy.types import FunctionLike, Type, TypedDictType

from typeinfo.mypy_plugin.lookups import Lookups, named_field

__all__ = ["RowHooks"]


class RowHooks(Lookups):
    """Infers the types of row fields by name and by position."""

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
