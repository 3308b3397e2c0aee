"""The types that ``Types.TUPLE``, ``Types.ROW`` and ``Types.ROW_NAMED`` make, to the last field."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from mypy.errorcodes import ARG_TYPE, MISC
from mypy.nodes import Expression, ListExpr, StarExpr, TupleExpr
from mypy.plugin import CheckerPluginInterface, FunctionSigContext, MethodSigContext
from mypy.typeops import try_getting_str_literals_from_type
from mypy.types import (
    AnyType,
    FunctionLike,
    Instance,
    Type,
    TypedDictType,
    TypeOfAny,
    get_proper_type,
)

from typeinfo.mypy_plugin.lookups import ROW, CallContext, Fields, Lookups, arguments

__all__ = ["FACTORIES", "FactoryHooks"]

TYPES = ("typeinfo.types.Types", "typeinfo.arities.RowAndTuple")


class FactoryHooks(Lookups):
    """Sees the field types in the arguments of a factory."""

    def _factory_hook(self, fullname: str) -> Callable[[CallContext], Type] | None:
        factory = FACTORIES.get(fullname)
        return None if factory is None else partial(factory, self)

    def _tuple_type(self, ctx: CallContext) -> Type:
        elements = self._given_elements(ctx)
        return ctx.default_return_type if elements is None else _wrap(ctx, self._tuple(elements))

    def _row_type(self, ctx: CallContext) -> Type:
        elements = self._given_elements(ctx)
        return ctx.default_return_type if elements is None else _wrap_row(ctx, self._tuple(elements))

    def _given_elements(self, ctx: CallContext) -> list[Type] | None:
        if any(kind.is_star() for formal in ctx.arg_kinds for kind in formal):
            return None  # the signature knows how many types it gives
        return self._field_elements(ctx.api, arguments(ctx))

    def _named_row_type(self, ctx: CallContext) -> Type:
        return self._named(ctx, *ctx.args)

    def _row_type_info(self, ctx: CallContext) -> Type:
        types, names = ctx.args
        return self._named(ctx, names, types) if names else self._row_type(ctx)

    def _named(self, ctx: CallContext, name_args: list[Expression], type_args: list[Expression]) -> Type:
        names = _literal_names(ctx.api, name_args)
        elements = self._field_elements(ctx.api, type_args)
        if names is None or elements is None:
            return ctx.default_return_type
        if len(names) != len(elements):
            ctx.api.fail(f"{len(names)} field names for {len(elements)} field types", ctx.context, code=MISC)
            return ctx.default_return_type
        duplicates = sorted({name for name in names if names.count(name) > 1})
        if duplicates:
            ctx.api.fail(f"Field names occur more than once: {', '.join(duplicates)}", ctx.context, code=MISC)
            return ctx.default_return_type
        items = dict(zip(names, elements, strict=True))
        return _wrap_row(ctx, TypedDictType(items, set(items), set(), self._instance("typing._TypedDict")))

    def _explain_lost_fields(self, ctx: FunctionSigContext | MethodSigContext) -> FunctionLike:
        """Replace mypy's list of overloads by a remedy where a list variable has become ``list[object]``."""
        for argument in (lists for formal in ctx.args for given in formal for lists in _not_written(given)):
            argument_type = get_proper_type(ctx.api.get_expression_type(argument))
            if not (isinstance(argument_type, Instance) and argument_type.type.fullname == "builtins.list"):
                continue
            element = get_proper_type(argument_type.args[0])
            if isinstance(element, Instance) and element.type.fullname == "builtins.object":
                ctx.api.fail(
                    "The types in this list differ, so mypy takes it for list[object]: write the list in the "
                    "call, or annotate the variable as list[TypeInformation[Any]]",
                    argument,
                    code=ARG_TYPE,
                )
                signature = ctx.default_signature
                anything = AnyType(TypeOfAny.from_error)
                return signature.copy_modified(
                    arg_types=[anything] * len(signature.arg_types), ret_type=anything, variables=[]
                )
        return ctx.default_signature


FACTORIES: dict[str, Callable[[FactoryHooks, CallContext], Type]] = {
    **{f"{owner}.TUPLE": FactoryHooks._tuple_type for owner in TYPES},
    **{f"{owner}.ROW": FactoryHooks._row_type for owner in TYPES},
    **{f"{owner}.ROW_NAMED": FactoryHooks._named_row_type for owner in TYPES},
    "typeinfo.composite.RowTypeInfo": FactoryHooks._row_type_info,
    "typeinfo.composite.TupleTypeInfo": FactoryHooks._tuple_type,
}


def _wrap(ctx: CallContext, element: Type) -> Type:
    """Return the type a factory gives, its last argument replaced by the exact element type."""
    result = get_proper_type(ctx.default_return_type)
    return result.copy_modified(args=[element]) if isinstance(result, Instance) else result


def _wrap_row(ctx: CallContext, fields: Fields) -> Type:
    result = get_proper_type(ctx.default_return_type)
    row = get_proper_type(result.args[0]) if isinstance(result, Instance) else result
    if isinstance(row, Instance) and row.type.fullname == ROW:
        return _wrap(ctx, row.copy_modified(args=[fields]))
    return _wrap(ctx, fields)


def _not_written(argument: Expression) -> list[Expression]:
    """Return what an argument takes its items from, other than those that stand in the call."""
    if isinstance(argument, (ListExpr, TupleExpr)):
        return [item.expr for item in argument.items if isinstance(item, StarExpr)]
    return [argument]


def _literal_names(api: CheckerPluginInterface, args: list[Expression]) -> list[str] | None:
    if len(args) != 1 or not isinstance(args[0], (ListExpr, TupleExpr)):
        return None
    names: list[str] = []
    for item in args[0].items:
        values = try_getting_str_literals_from_type(api.get_expression_type(item))
        if values is None or len(values) != 1:
            return None
        names.append(values[0])
    return names
