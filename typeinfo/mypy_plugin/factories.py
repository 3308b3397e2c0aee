"""Infer the exact results of ``Types.TUPLE``, ``Types.ROW`` and ``Types.ROW_NAMED``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from mypy.errorcodes import ARG_TYPE, MISC
from mypy.nodes import Expression, ListExpr, StarExpr, TupleExpr
from mypy.plugin import CheckerPluginInterface, FunctionSigContext, MethodSigContext
from mypy.typeops import try_getting_str_literals_from_type
from mypy.types import (
    AnyType,
    FunctionLike,
    Instance,
    NoneType,
    Type,
    TypedDictType,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from typeinfo.mypy_plugin.lookups import (
    ROW,
    TYPE_INFORMATION,
    CallContext,
    ElementTypes,
    Fields,
    Lookups,
    arguments,
)

__all__ = ["FACTORIES", "FactoryHooks"]

TYPES = ("typeinfo.types.Types", "typeinfo.arities.RowAndTuple")


class FactoryHooks(Lookups):
    """Infers the field types from the arguments of a factory."""

    def _factory_hook(self, fullname: str) -> Callable[[CallContext], Type] | None:
        factory = FACTORIES.get(fullname)
        return None if factory is None else partial(factory, self)

    def _tuple_type(self, ctx: CallContext) -> Type:
        fields = self._given_fields(ctx)
        if fields is None:
            return ctx.default_return_type
        produced = self._tuple([field.produced for field in fields])
        return _wrap(ctx, produced, self._accepted([field.accepted for field in fields], produced))

    def _row_type(self, ctx: CallContext) -> Type:
        fields = self._given_fields(ctx)
        if fields is None:
            return ctx.default_return_type
        return self._wrap_row(ctx, fields, self._tuple([field.produced for field in fields]))

    def _given_fields(self, ctx: CallContext) -> list[ElementTypes] | None:
        if any(kind.is_star() for formal in ctx.arg_kinds for kind in formal):
            return None  # the signature knows how many types it returns
        return self._field_types(ctx.api, arguments(ctx))

    def _named_row_type(self, ctx: CallContext) -> Type:
        return self._named(ctx, *ctx.args)

    def _row_type_info(self, ctx: CallContext) -> Type:
        types, names = ctx.args
        return self._named(ctx, names, types) if names else self._row_type(ctx)

    def _named(self, ctx: CallContext, name_args: list[Expression], type_args: list[Expression]) -> Type:
        names = _literal_names(ctx.api, name_args)
        fields = self._field_types(ctx.api, type_args)
        if names is None or fields is None:
            return ctx.default_return_type
        if len(names) != len(fields):
            ctx.api.fail(f"{len(names)} field names for {len(fields)} field types", ctx.context, code=MISC)
            return ctx.default_return_type
        duplicates = sorted({name for name in names if names.count(name) > 1})
        if duplicates:
            ctx.api.fail(f"Field names occur more than once: {', '.join(duplicates)}", ctx.context, code=MISC)
            return ctx.default_return_type
        items = {name: field.produced for name, field in zip(names, fields, strict=True)}
        by_name = TypedDictType(items, set(items), set(), self._instance("typing._TypedDict"))
        return self._wrap_row(ctx, fields, by_name)

    def _wrap_row(self, ctx: CallContext, fields: Sequence[ElementTypes], produced: Fields) -> Type:
        accepted = self._accepted(
            [UnionType.make_union([field.accepted, NoneType()]) for field in fields], produced
        )
        if isinstance(produced, TypedDictType):
            any_fields = AnyType(TypeOfAny.special_form)
            mapping = self._instance("builtins.dict", self._instance("builtins.str"), any_fields)
            accepted = UnionType([*accepted.items, mapping])
        return _wrap(ctx, self._instance(ROW, produced), accepted)

    def _accepted(self, items: list[Type], produced: Fields) -> UnionType:
        """Return the containers accepted for a row or a tuple: a row, a tuple or a list."""
        any_list = self._instance("builtins.list", AnyType(TypeOfAny.special_form))
        return UnionType([self._instance(ROW, produced), self._tuple(items), any_list])

    def _explain_lost_fields(self, ctx: FunctionSigContext | MethodSigContext) -> FunctionLike:
        """Replace mypy's list of overloads with a remedy if a list variable has become ``list[object]``."""
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


def _wrap(ctx: CallContext, produced: Type, accepted: Type) -> Type:
    """Return the result type of a factory, with its exact element types."""
    result = get_proper_type(ctx.default_return_type)
    if not isinstance(result, Instance):
        return result
    if result.type.fullname == TYPE_INFORMATION:
        return result.copy_modified(args=[produced, accepted])
    # The fields are moved to an anonymous class.
    row = get_proper_type(produced)
    fields = row.args[0] if isinstance(row, Instance) and row.type.fullname == ROW else produced
    return result.copy_modified(args=[fields])


def _not_written(argument: Expression) -> list[Expression]:
    """Return the parts of an argument whose items are not written in the call."""
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
