"""Look up classes by name, and element and field types inside other types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mypy.errorcodes import INDEX, ErrorCode
from mypy.maptype import map_instance_to_supertype
from mypy.nodes import Context, Expression, ListExpr, StarExpr, TupleExpr, TypeInfo
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext, Plugin
from mypy.typeops import try_getting_int_literals_from_type, try_getting_str_literals_from_type
from mypy.types import (
    AnyType,
    Instance,
    ProperType,
    TupleType,
    Type,
    TypedDictType,
    TypeOfAny,
    TypeVarType,
    UnionType,
    UnpackType,
    get_proper_type,
)

__all__ = [
    "ROW",
    "TYPE_INFORMATION",
    "CallContext",
    "ElementTypes",
    "Fields",
    "Lookups",
    "arguments",
    "bounded",
    "named_field",
    "positional_field",
]

TYPE_INFORMATION = "typeinfo.info.TypeInformation"
ROW = "typeinfo.row.Row"

CallContext = FunctionContext | MethodContext
Fields = TupleType | TypedDictType


class ElementTypes(NamedTuple):
    """The types of the elements that a TypeInformation describes.

    Attributes:
        produced: the type of the elements of a stream.
        accepted: the type of the values that become such elements.
    """

    produced: Type
    accepted: Type


class Lookups(Plugin):
    """Finds classes, and types inside other types."""

    def _class(self, fullname: str) -> TypeInfo:
        symbol = self.lookup_fully_qualified(fullname)
        node = None if symbol is None else symbol.node
        assert isinstance(node, TypeInfo), fullname
        return node

    def _instance(self, fullname: str, *args: Type) -> Instance:
        return Instance(self._class(fullname), list(args))

    def _tuple(self, items: list[Type]) -> TupleType:
        return TupleType(items, self._instance("builtins.tuple", AnyType(TypeOfAny.special_form)))

    def _field_types(
        self, api: CheckerPluginInterface, args: Sequence[Expression]
    ) -> list[ElementTypes] | None:
        """Return the element types of each field, or ``None`` if the call does not show them."""
        if not args:
            return None
        first, *others = args
        if others:
            return self._elements([api.get_expression_type(field) for field in args])
        if isinstance(first, (ListExpr, TupleExpr)):
            types = _item_types(api, first.items)
            return None if types is None else self._elements(types)
        given = get_proper_type(api.get_expression_type(first))
        if isinstance(given, TupleType):
            return self._elements(given.items)
        return None if isinstance(given, AnyType) else self._elements([given])

    def _elements(self, type_infos: Sequence[Type]) -> list[ElementTypes] | None:
        elements = [self._element_types(type_info) for type_info in type_infos]
        known = [element for element in elements if element is not None]
        return known if len(known) == len(elements) else None

    def _element_types(self, type_info: Type) -> ElementTypes | None:
        """Return the type arguments of a ``TypeInformation`` or a subclass."""
        type_info = get_proper_type(type_info)
        if isinstance(type_info, Instance) and type_info.type.has_base(TYPE_INFORMATION):
            produced, accepted = map_instance_to_supertype(type_info, self._class(TYPE_INFORMATION)).args
            return ElementTypes(produced, accepted)
        return ElementTypes(type_info, type_info) if isinstance(type_info, AnyType) else None

    def _argument_of(self, type_: Type, base: str, position: int) -> Type | None:
        """Return a type argument of one of a type's bases, ``None`` if it has no such base."""
        type_ = bounded(type_)
        if isinstance(type_, TupleType):
            type_ = type_.partial_fallback
        if not isinstance(type_, Instance) or not type_.type.has_base(base):
            return None
        return get_proper_type(map_instance_to_supertype(type_, self._class(base)).args[position])

    def _fields(self, row: Type) -> Fields | None:
        """Return the fields of a row: a tuple of types, a TypedDict, or ``None`` if unknown."""
        row = bounded(row)
        if isinstance(row, UnionType):
            found = [fields for fields in map(self._fields, row.items) if fields is not None]
            return found[0] if len(found) == 1 else None
        if not (isinstance(row, Instance) and row.type.has_base(ROW)):
            return None
        fields = get_proper_type(map_instance_to_supertype(row, self._class(ROW)).args[0])
        if isinstance(fields, TupleType) and not any(isinstance(item, UnpackType) for item in fields.items):
            return fields
        return fields if isinstance(fields, TypedDictType) else None

    def _field(self, api: CheckerPluginInterface, row: Type, key: Type, context: Context) -> Type | None:
        fields = self._fields(row)
        positions = try_getting_int_literals_from_type(key)
        names = try_getting_str_literals_from_type(key)
        if fields is not None and positions is not None and len(positions) == 1:
            items = fields.items if isinstance(fields, TupleType) else list(fields.items.values())
            return positional_field(api, items, positions[0], context)
        if isinstance(fields, TypedDictType) and names is not None and len(names) == 1:
            return named_field(api, fields, names[0], context, INDEX)
        return None


def _item_types(api: CheckerPluginInterface, items: Sequence[Expression]) -> list[Type] | None:
    types: list[Type] = []
    for item in items:
        if not isinstance(item, StarExpr):
            types.append(api.get_expression_type(item))
            continue
        several = get_proper_type(api.get_expression_type(item.expr))
        if not isinstance(several, TupleType):
            return None
        types += several.items
    return types


def bounded(type_: Type) -> ProperType:
    """Return a type, or the bound of a type variable."""
    type_ = get_proper_type(type_)
    return get_proper_type(type_.upper_bound) if isinstance(type_, TypeVarType) else type_


def arguments(ctx: CallContext) -> list[Expression]:
    return [argument for formal in ctx.args for argument in formal]


def positional_field(
    api: CheckerPluginInterface,
    items: Sequence[Type],
    position: int,
    context: Context,
    *,
    first: int | None = None,
) -> Type | None:
    if (-len(items) if first is None else first) <= position < len(items):
        return items[position]
    last = f"the last is {len(items) - 1}" if items else "there are none"
    api.fail(f"There is no field {position}: {last}", context, code=INDEX)
    return None


def named_field(
    api: CheckerPluginInterface, fields: TypedDictType, name: str, context: Context, code: ErrorCode
) -> Type | None:
    if name in fields.items:
        return fields.items[name]
    api.fail(f'There is no field "{name}": the row has {", ".join(fields.items)}', context, code=code)
    return None
