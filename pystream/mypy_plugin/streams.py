"""Check stream operators in mypy: fields selected by name or position, matching keys, bare contexts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from mypy.checker import TypeChecker
from mypy.errorcodes import ARG_TYPE, MISC
from mypy.expandtype import expand_type_by_instance
from mypy.maptype import map_instance_to_supertype
from mypy.messages import format_type_bare
from mypy.nodes import Context, TempNode, TypeInfo, Var
from mypy.plugin import MethodContext
from mypy.subtypes import is_same_type, is_subtype
from mypy.typeops import try_getting_int_literals_from_type, try_getting_str_literals_from_type
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    TupleType,
    Type,
    TypedDictType,
    TypeOfAny,
    get_proper_type,
)
from mypy.typevars import fill_typevars

from typeinfo.mypy_plugin.lookups import ROW, Lookups, arguments, bounded, positional_field

__all__ = ["DATA_STREAM", "StreamHooks"]

DATA_STREAM = "pystream.datastream.streams.data_stream.DataStream"
KEYED_STREAM = "pystream.datastream.streams.keyed_stream.KeyedStream"
CONNECTED_STREAMS = "pystream.datastream.streams.connected_streams.ConnectedStreams"
TWO_STREAMS = "pystream.datastream.streams.window_joins.PairedStreams"
WHERE = "pystream.datastream.streams.window_joins.Where"
KEY_SELECTOR = "pystream.datastream.functions.elementwise.KeySelector"
WITHOUT_FIELDS = ("builtins.int", "builtins.str", "builtins.float", "builtins.bool", "builtins.bytes")

# The function classes of each context, with the position of the type argument that its method returns.
CONTEXT_OWNERS: dict[str, tuple[tuple[str, int], ...]] = {
    "pystream.engine.operators.keyed_contexts.KeyedContext.get_current_key": (
        ("pystream.datastream.functions.keyed.KeyedProcessFunction", 0),
        ("pystream.datastream.functions.keyed.KeyedCoProcessFunction", 0),
        ("pystream.datastream.functions.broadcast.KeyedBroadcastProcessFunction", 0),
    ),
    "pystream.engine.windows.function_contexts.ProcessAllWindowContext.window": (
        ("pystream.datastream.functions.window.ProcessWindowFunction", 3),
        ("pystream.datastream.functions.window.ProcessAllWindowFunction", 2),
    ),
}


class StreamHooks(Lookups):
    """Checks fields and keys of streams against the types of their elements."""

    def _stream_hook(self, class_name: str, method: str) -> Callable[[MethodContext], Type] | None:
        """Return the hook of a method, also for subclasses that inherit it."""
        if method not in STREAM_METHODS:
            return None
        symbol = self.lookup_fully_qualified(class_name)
        if symbol is None or not isinstance(symbol.node, TypeInfo):
            return None
        definer = symbol.node.get_containing_type_info(method)
        hook = None if definer is None else STREAM_METHODS[method].get(definer.fullname)
        return None if hook is None else partial(hook, self)

    def _projected_stream(self, ctx: MethodContext) -> Type:
        stream = get_proper_type(ctx.default_return_type)
        indexes = arguments(ctx)
        element = self._argument_of(ctx.type, DATA_STREAM, 0)
        if element is None or not isinstance(stream, Instance) or not indexes:
            return stream
        element = bounded(element)
        if not isinstance(element, TupleType):
            any_tuple = self._instance("builtins.tuple", AnyType(TypeOfAny.special_form))
            if isinstance(element, Instance) and not is_subtype(any_tuple, element):
                found = format_type_bare(element, self.options)
                ctx.api.fail(
                    f"project needs a stream of tuples, this one holds {found}", indexes[0], code=MISC
                )
            return stream
        chosen: list[Type] = []
        for index in indexes:
            positions = try_getting_int_literals_from_type(ctx.api.get_expression_type(index))
            if positions is None or len(positions) != 1:
                return stream
            field = positional_field(ctx.api, element.items, positions[0], index, first=0)
            if field is None:
                return stream
            chosen.append(field)
        return stream.copy_modified(args=[self._tuple(chosen)])

    def _keyed_stream(self, ctx: MethodContext) -> Type:
        return self._keyed(ctx, self._key_field(ctx, DATA_STREAM, 0))

    def _first_joined_key(self, ctx: MethodContext) -> Type:
        return self._keyed(ctx, self._key_field(ctx, TWO_STREAMS, 0))

    def _second_joined_key(self, ctx: MethodContext) -> Type:
        """Check the key type of the second stream against the first's, if the signature does not."""
        second = self._key_field(ctx, WHERE, 1)
        first = self._argument_of(ctx.type, WHERE, 3)
        if first is not None and second is not None and not ctx.args[1]:
            self._compare_keys(ctx, first, second, ctx.args[0][0])
        return ctx.default_return_type

    def _key_field(self, ctx: MethodContext, base: str, position: int) -> Type | None:
        """Return the type of a field used as the key, checked against the declared type."""
        element = self._argument_of(ctx.type, base, position)
        field = None if element is None else self._field_of(ctx, element, 0)
        if field is None or len(ctx.args) < 2 or not ctx.args[1]:
            return field
        declared = self._element_types(ctx.arg_types[1][0])
        if declared is None:
            return None
        if not _agree(declared.produced, field):
            self._fail_types(
                "The field is", field, "the key_type is for", declared.produced, ctx, ctx.args[1][0]
            )
        return declared.produced

    def _keyed(self, ctx: MethodContext, key: Type | None) -> Type:
        """Return a method's result type with its last argument replaced by a known key type."""
        keyed = get_proper_type(ctx.default_return_type)
        if key is None or not isinstance(keyed, Instance):
            return keyed
        return keyed.copy_modified(args=[*keyed.args[:-1], key])

    def _keyed_connection(self, ctx: MethodContext) -> Type:
        """Check the key types of the two streams against each other."""
        keys: list[Type | None] = []
        for side in range(2):
            element = self._argument_of(ctx.type, CONNECTED_STREAMS, side)
            field = None if element is None else self._field_of(ctx, element, side)
            # If a type is declared, the signature checks the selectors against it.
            keys.append(field or (None if ctx.args[2] else self._selected(ctx, side)))
        first, second = keys
        if first is None or second is None:
            return ctx.default_return_type
        self._compare_keys(ctx, first, second, ctx.args[1][0])
        return self._keyed(ctx, first)

    def _compare_keys(self, ctx: MethodContext, first: Type, second: Type, where: Context) -> None:
        if not _agree(first, second):
            what = "The keys of the streams differ: the first has"
            self._fail_types(what, first, "the second", second, ctx, where)

    def _selected(self, ctx: MethodContext, position: int) -> Type | None:
        """Return the type of a selector's keys."""
        if not ctx.arg_types[position]:
            return None
        selector = get_proper_type(ctx.arg_types[position][0])
        if isinstance(selector, CallableType):
            return selector.ret_type
        return self._argument_of(selector, KEY_SELECTOR, 1)

    def _aggregated_stream(self, ctx: MethodContext) -> Type:
        element = self._argument_of(ctx.type, DATA_STREAM, 0)
        if element is not None:
            self._field_of(ctx, element, 0)
        return ctx.default_return_type

    def _summed_stream(self, ctx: MethodContext) -> Type:
        """Look up the field of a sum, and check that its type can be added."""
        element = self._argument_of(ctx.type, DATA_STREAM, 0)
        if element is None:
            return ctx.default_return_type
        field = self._field_of(ctx, element, 0)
        plain = bounded(element)
        if field is None and isinstance(plain, Instance) and plain.type.fullname in WITHOUT_FIELDS:
            field = plain
        summed = None if field is None else bounded(field)
        if summed is not None and not _adds_up(ctx, summed):
            found = format_type_bare(summed, self.options)
            where = ctx.args[0][0] if ctx.args[0] else ctx.context
            ctx.api.fail(f'sum cannot add up a field of "{found}"', where, code=MISC)
        return ctx.default_return_type

    def _context_owners(self, class_name: str, method: str) -> tuple[tuple[str, int], ...]:
        """Return the function classes that a context belongs to."""
        symbol = self.lookup_fully_qualified(class_name)
        if symbol is not None and isinstance(symbol.node, TypeInfo):
            for base in symbol.node.mro:
                owners = CONTEXT_OWNERS.get(f"{base.fullname}.{method}")
                if owners:
                    return owners
        return ()

    def _current(self, owners: Sequence[tuple[str, int]], ctx: MethodContext) -> Type:
        """Infer the type argument of a bare ``Context`` from the function class it is used in."""
        scope = getattr(ctx.api, "scope", None)
        function = None if scope is None else scope.enclosing_class()
        if function is None or not isinstance(get_proper_type(ctx.default_return_type), AnyType):
            return ctx.default_return_type
        this = fill_typevars(function)
        for owner, index in owners:
            known = self._argument_of(this, owner, index)
            if known is not None:
                return known
        return ctx.default_return_type

    def _field_of(self, ctx: MethodContext, element: Type, position: int) -> Type | None:
        """Return the type of the field named by an argument; report a field that does not exist."""
        if not ctx.args[position]:
            return None
        argument = ctx.args[position][0]
        given = ctx.api.get_expression_type(argument)
        names = try_getting_str_literals_from_type(given)
        positions = try_getting_int_literals_from_type(given)
        field: str | int | None = None
        if names is not None and len(names) == 1:
            field = names[0]
        elif positions is not None and len(positions) == 1:
            field = positions[0]
        if field is None:
            return None
        element = bounded(element)
        if isinstance(element, Instance) and element.type.fullname in WITHOUT_FIELDS:
            if field != 0:
                found = format_type_bare(element, self.options)
                ctx.api.fail(f'There is no field "{field}": {found} has none', argument, code=MISC)
            return None
        fields = self._fields_of(element)
        if fields is None:
            return None
        if isinstance(field, int):
            return positional_field(ctx.api, list(fields.values()), field, argument, first=0)
        if field not in fields:
            known = ", ".join(fields)
            ctx.api.fail(f'There is no field "{field}": the elements have {known}', argument, code=MISC)
            return None
        return fields[field]

    def _fields_of(self, element: Type) -> dict[str, Type] | None:
        """Return the fields of an element in order, ``None`` if unknown."""
        element = get_proper_type(element)
        if isinstance(element, Instance) and element.type.has_base(ROW):
            fields = self._fields(element)
            return None if fields is None else self._fields_of(fields)
        if isinstance(element, TypedDictType):
            return dict(element.items)
        if isinstance(element, TupleType):
            named = element.partial_fallback.type.metadata.get("namedtuple")
            names = named["fields"] if named else [f"f{i}" for i in range(len(element.items))]
            return dict(zip(names, element.items, strict=False))
        if isinstance(element, Instance) and "dataclass" in element.type.metadata:
            return _dataclass_fields(element)
        return None

    def _fail_types(
        self, what: str, found: Type, other: str, expected: Type, ctx: MethodContext, where: Context
    ) -> None:
        one, two = (format_type_bare(type_, self.options) for type_ in (found, expected))
        ctx.api.fail(f'{what} "{one}", {other} "{two}"', where, code=ARG_TYPE)


# By the classes that define them, because a subclass may override a method with another signature.
STREAM_METHODS: dict[str, dict[str, Callable[[StreamHooks, MethodContext], Type]]] = {
    "project": {DATA_STREAM: StreamHooks._projected_stream},
    "key_by": {DATA_STREAM: StreamHooks._keyed_stream, CONNECTED_STREAMS: StreamHooks._keyed_connection},
    "where": {TWO_STREAMS: StreamHooks._first_joined_key},
    "equal_to": {WHERE: StreamHooks._second_joined_key},
    **{
        method: {KEYED_STREAM: StreamHooks._aggregated_stream}
        for method in ("min", "max", "min_by", "max_by")
    },
    "sum": {KEYED_STREAM: StreamHooks._summed_stream},
}


def _agree(one: Type, other: Type) -> bool:
    return is_same_type(one, other) or (is_subtype(one, other) and is_subtype(other, one))


def _adds_up(ctx: MethodContext, summed: Type) -> bool:
    assert isinstance(ctx.api, TypeChecker)
    with ctx.api.msg.filter_errors() as watcher:
        added, _ = ctx.api.expr_checker.check_op("__add__", summed, TempNode(summed), ctx.context)
    return not watcher.has_new_errors() and is_subtype(added, summed)


def _dataclass_fields(element: Instance) -> dict[str, Type] | None:
    fields: dict[str, Type] = {}
    for attribute in element.type.metadata["dataclass"]["attributes"]:
        if attribute["is_init_var"]:  # no instance holds it
            continue
        symbol = element.type.get(attribute["name"])
        if symbol is None or not isinstance(symbol.node, Var) or symbol.node.type is None:
            return None
        owner = map_instance_to_supertype(element, symbol.node.info)
        fields[attribute["name"]] = expand_type_by_instance(symbol.node.type, owner)
    return fields
