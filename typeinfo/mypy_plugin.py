"""A mypy plugin for exact element types where signatures alone cannot express them.

Turn it on in ``pyproject.toml``::

    [tool.mypy]
    plugins = ["typeinfo.mypy_plugin"]

With it mypy knows ``Types.TUPLE([A, B])``, ``Types.ROW([A, B])`` and ``Types.ROW_NAMED(["a", "b"], [A, B])``
to the last field, checks ``row["a"]``, ``row.a`` and ``row[0]``, types ``stream.project(0, 2)``, and holds a
function against its declared ``output_type``. Fields that the call does not show, such as those of a list
variable, are ``Any`` as without the plugin.

A named row is a ``Row`` of an anonymous TypedDict, so ``def f(row: Row[Point])`` with
``class Point(TypedDict)`` accepts it. The module runs inside mypy only: nothing else imports it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from mypy.errorcodes import ARG_TYPE, ATTR_DEFINED, INDEX, MISC, ErrorCode
from mypy.expandtype import expand_type
from mypy.maptype import map_instance_to_supertype
from mypy.messages import format_type_bare
from mypy.nodes import Context, Expression, ListExpr, TupleExpr, TypeInfo
from mypy.plugin import (
    AttributeContext,
    CheckerPluginInterface,
    FunctionContext,
    FunctionSigContext,
    MethodContext,
    MethodSigContext,
    Plugin,
)
from mypy.typeops import try_getting_int_literals_from_type, try_getting_str_literals_from_type
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    TupleType,
    Type,
    TypedDictType,
    TypeOfAny,
    TypeVarId,
    TypeVarType,
    UnionType,
    UnpackType,
    get_proper_type,
)

__all__ = ["TypesPlugin", "plugin"]

TYPE_INFORMATION = "typeinfo.info.TypeInformation"
ROW = "typeinfo.row.Row"
NOT_TOO_NARROW = ("builtins.tuple", "builtins.object")  # may turn out to be a tuple of known fields
DATA_STREAM = "pystream.datastream.data_stream.DataStream"
TYPES = ("typeinfo.types.Types", "typeinfo.arities.RowAndTuple")

CallContext = FunctionContext | MethodContext
Fields = TupleType | TypedDictType


def plugin(version: str) -> type[Plugin]:
    """Return the plugin class; mypy calls this with its version."""
    return TypesPlugin


class TypesPlugin(Plugin):
    """The hooks, each found by the full name of what is called."""

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        return self._factory_hook(fullname)

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        if fullname == f"{ROW}.__getitem__":
            return self._row_item
        if fullname.endswith(".project") and self._is_stream(fullname.removesuffix(".project")):
            return self._projected_stream
        return self._factory_hook(fullname)

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
        if fullname in FACTORIES:
            return self._explain_lost_fields
        return self._bind_declared_types if fullname.startswith("pystream.") else None

    # Types.TUPLE, Types.ROW, Types.ROW_NAMED

    def _factory_hook(self, fullname: str) -> Callable[[CallContext], Type] | None:
        factory = FACTORIES.get(fullname)
        return None if factory is None else partial(factory, self)

    def _tuple_type(self, ctx: CallContext) -> Type:
        elements = self._field_elements(ctx.api, _arguments(ctx))
        return ctx.default_return_type if elements is None else _wrap(ctx, self._tuple(elements))

    def _row_type(self, ctx: CallContext) -> Type:
        elements = self._field_elements(ctx.api, _arguments(ctx))
        return ctx.default_return_type if elements is None else _wrap_row(ctx, self._tuple(elements))

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

    def _field_elements(self, api: CheckerPluginInterface, args: Sequence[Expression]) -> list[Type] | None:
        """Return the element type of each field, or None where the call does not show them."""
        if not args:
            return None
        fields = args[0].items if len(args) == 1 and isinstance(args[0], (ListExpr, TupleExpr)) else args
        types = [get_proper_type(api.get_expression_type(field)) for field in fields]
        if len(types) == 1 and isinstance(types[0], TupleType):
            return self._elements(types[0].items)
        return self._elements(types)

    def _elements(self, type_infos: Sequence[Type]) -> list[Type] | None:
        elements = [self._element(type_info) for type_info in type_infos]
        known = [element for element in elements if element is not None]
        return known if len(known) == len(elements) else None

    def _element(self, type_info: Type) -> Type | None:
        """Return T of a ``TypeInformation[T]``, also through a subclass."""
        type_info = get_proper_type(type_info)
        if isinstance(type_info, Instance) and type_info.type.has_base(TYPE_INFORMATION):
            return map_instance_to_supertype(type_info, self._class(TYPE_INFORMATION)).args[0]
        return type_info if isinstance(type_info, AnyType) else None

    def _explain_lost_fields(self, ctx: FunctionSigContext | MethodSigContext) -> FunctionLike:
        """Replace mypy's list of overloads by a remedy where a list variable has become ``list[object]``."""
        for argument in (argument for formal in ctx.args for argument in formal):
            if isinstance(argument, (ListExpr, TupleExpr)):
                continue
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

    # Row

    def _row_item(self, ctx: MethodContext) -> Type:
        (key,) = ctx.arg_types[0]
        return self._field(ctx.api, ctx.type, key, ctx.context) or ctx.default_return_type

    def _row_assignment(self, ctx: MethodSigContext) -> FunctionLike:
        signature = ctx.default_signature
        key = ctx.api.get_expression_type(ctx.args[0][0])
        field = self._field(ctx.api, ctx.type, key, ctx.context)
        return (
            signature if field is None else signature.copy_modified(arg_types=[signature.arg_types[0], field])
        )

    def _row_attribute(self, name: str, ctx: AttributeContext) -> Type:
        fields = self._fields(ctx.type)
        if not isinstance(fields, TypedDictType):
            return ctx.default_attr_type
        return _named_field(ctx.api, fields, name, ctx.context, ATTR_DEFINED) or ctx.default_attr_type

    def _fields(self, row: Type) -> Fields | None:
        """Return what a row holds: a tuple of types, a TypedDict, or None where that is not known."""
        row = get_proper_type(row)
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
            return _positional_field(api, items, positions[0], context)
        if isinstance(fields, TypedDictType) and names is not None and len(names) == 1:
            return _named_field(api, fields, names[0], context, INDEX)
        return None

    # Streams

    def _is_stream(self, class_name: str) -> bool:
        symbol = self.lookup_fully_qualified(class_name)
        return symbol is not None and isinstance(symbol.node, TypeInfo) and symbol.node.has_base(DATA_STREAM)

    def _projected_stream(self, ctx: MethodContext) -> Type:
        stream = get_proper_type(ctx.default_return_type)
        indexes = _arguments(ctx)
        if not isinstance(ctx.type, Instance) or not isinstance(stream, Instance) or not indexes:
            return stream
        element = get_proper_type(map_instance_to_supertype(ctx.type, self._class(DATA_STREAM)).args[0])
        if not isinstance(element, TupleType):
            if isinstance(element, Instance) and element.type.fullname not in NOT_TOO_NARROW:
                found = format_type_bare(element, self.options)
                ctx.api.fail(
                    f"project needs a stream of tuples, this one holds {found}", ctx.context, code=MISC
                )
            return stream
        chosen: list[Type] = []
        for index in indexes:
            positions = try_getting_int_literals_from_type(ctx.api.get_expression_type(index))
            if positions is None or len(positions) != 1:
                return stream
            field = _positional_field(ctx.api, element.items, positions[0], ctx.context, first=0)
            if field is None:
                return stream
            chosen.append(field)
        return stream.copy_modified(args=[self._tuple(chosen)])

    def _bind_declared_types(self, ctx: MethodSigContext) -> FunctionLike:
        """Solve U by the argument for ``TypeInformation[U]`` first: the function is then held against it."""
        signature = ctx.default_signature
        bound: dict[TypeVarId, Type] = {}
        for formal, arguments in zip(signature.arg_types, ctx.args, strict=True):
            variable = _declared_variable(formal)
            if variable is None or len(arguments) != 1:
                continue
            element = self._element(ctx.api.get_expression_type(arguments[0]))
            if element is not None:
                bound[variable.id] = element
        solved = expand_type(signature, bound)
        assert isinstance(solved, CallableType)
        return solved.copy_modified(variables=[v for v in signature.variables if v.id not in bound])

    # Building blocks

    def _class(self, fullname: str) -> TypeInfo:
        symbol = self.lookup_fully_qualified(fullname)
        node = None if symbol is None else symbol.node
        assert isinstance(node, TypeInfo), fullname
        return node

    def _instance(self, fullname: str, *args: Type) -> Instance:
        return Instance(self._class(fullname), list(args))

    def _tuple(self, items: list[Type]) -> TupleType:
        return TupleType(items, self._instance("builtins.tuple", AnyType(TypeOfAny.special_form)))


FACTORIES: dict[str, Callable[[TypesPlugin, CallContext], Type]] = {
    **{f"{owner}.TUPLE": TypesPlugin._tuple_type for owner in TYPES},
    **{f"{owner}.ROW": TypesPlugin._row_type for owner in TYPES},
    **{f"{owner}.ROW_NAMED": TypesPlugin._named_row_type for owner in TYPES},
    "typeinfo.composite.RowTypeInfo": TypesPlugin._row_type_info,
    "typeinfo.composite.TupleTypeInfo": TypesPlugin._tuple_type,
}


def _arguments(ctx: CallContext) -> list[Expression]:
    return [argument for formal in ctx.args for argument in formal]


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


def _declared_variable(formal: Type) -> TypeVarType | None:
    """Return U of a parameter ``TypeInformation[U]`` or ``TypeInformation[U] | None``."""
    formal = get_proper_type(formal)
    for item in formal.items if isinstance(formal, UnionType) else [formal]:
        item = get_proper_type(item)
        if isinstance(item, Instance) and item.type.fullname == TYPE_INFORMATION:
            variable = get_proper_type(item.args[0])
            return variable if isinstance(variable, TypeVarType) else None
    return None


def _positional_field(
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


def _named_field(
    api: CheckerPluginInterface, fields: TypedDictType, name: str, context: Context, code: ErrorCode
) -> Type | None:
    if name in fields.items:
        return fields.items[name]
    api.fail(f'There is no field "{name}": the row has {", ".join(fields.items)}', context, code=code)
    return None
