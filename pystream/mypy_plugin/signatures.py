"""Bind type variables by declared types first, so that functions are checked against these."""

from __future__ import annotations

from mypy.expandtype import expand_type
from mypy.nodes import Expression, LambdaExpr, TypeInfo
from mypy.plugin import MethodSigContext
from mypy.subtypes import find_member, is_subtype
from mypy.typeops import get_type_vars
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    Type,
    TypeOfAny,
    TypeVarId,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from pystream.mypy_plugin.streams import DATA_STREAM
from pystream.mypy_plugin.trials import CallTrials, SignatureContext
from typeinfo.mypy_plugin.lookups import TYPE_INFORMATION

__all__ = ["SignatureHooks"]

BATCH_FUNCTIONS = tuple(
    f"pystream.arguments.batches.{name}" for name in ("BatchFunction", "FlatBatchFunction")
)
# The modules from which users import classes.
PUBLIC_MODULES = (
    "pystream.datastream",
    "pystream.datastream.functions",
    "pystream.datastream.state",
    "pystream.datastream.timerservice",
    "pystream.datastream.window",
    "pystream.datastream.connectors",
    "pystream.common",
    "pystream.testing",
)
# Classes whose type arguments solve the type variables of other parameters, as a type info does.
DECLARING: dict[str, tuple[int, ...]] = {
    DATA_STREAM: (0,),
    "pystream.settings.config_options.ConfigOption": (0,),
    "pystream.io.Source": (0,),
    "pystream.engine.functions.AggregateFunction": (0, 1, 2),
}


class SignatureHooks(CallTrials):
    """Solves type variables by declared types before mypy checks a call."""

    def _bind_declared_types(self, ctx: SignatureContext) -> FunctionLike:
        """Solve U by the argument for ``TypeInformation[U]``, before the function is checked against it."""
        signature = ctx.default_signature
        bound: dict[TypeVarId, Type] = {}
        formals = list(signature.arg_types)
        for position, (formal, given) in enumerate(zip(signature.arg_types, ctx.args, strict=True)):
            if len(given) != 1:
                continue
            declared = _declared(formal)
            if declared is not None:
                element = self._element_types(ctx.api.get_expression_type(given[0]))
                if element is not None:
                    for variable, known in zip(reversed(declared.args), reversed(element), strict=True):
                        variable = get_proper_type(variable)
                        if isinstance(variable, TypeVarType):
                            bound[variable.id] = known
            elif _takes_batches(formal):
                formals[position] = self._without_batches(formal, given[0], ctx)
            elif len(signature.arg_types) > 1:
                self._bind_arguments(formal, given[0], ctx, bound)
        solved = expand_type(signature.copy_modified(arg_types=formals), bound)
        assert isinstance(solved, CallableType)
        used = {variable.id for variable in get_type_vars(solved)}
        variables = [
            variable.copy_modified(id=variable.id, default=expand_type(variable.default, bound))
            for variable in signature.variables
            if variable.id in used or not isinstance(variable, TypeVarType)
        ]
        return self._blame_once(ctx, self._named_publicly(ctx, solved.copy_modified(variables=variables)))

    def _named_publicly(self, ctx: SignatureContext, signature: CallableType) -> CallableType:
        """Name a method after its public class in messages, not after the base class that defines it."""
        owner = get_proper_type(ctx.type) if isinstance(ctx, MethodSigContext) else None
        name = signature.name
        if not isinstance(owner, Instance) or name is None:
            return signature
        public = next((base for base in owner.type.mro if self._is_public(base)), owner.type)
        return signature.copy_modified(name=f"{name.partition(' of ')[0]} of {public.name}")

    def _is_public(self, class_: TypeInfo) -> bool:
        for module in PUBLIC_MODULES:
            symbol = self.lookup_fully_qualified(f"{module}.{class_.name}")
            if symbol is not None and symbol.node is class_:
                return True
        return False

    def _without_batches(self, formal: Type, given: Expression, ctx: SignatureContext) -> Type:
        """Remove overloads for batch functions unless one is passed; generic functions would match them."""
        function = None if isinstance(given, LambdaExpr) else ctx.api.get_expression_type(given)
        function = None if function is None else get_proper_type(function)
        items = get_proper_type(formal)
        assert isinstance(items, UnionType)
        if isinstance(function, AnyType):
            return formal
        generic = isinstance(function, CallableType) and function.variables
        kept = [
            item
            for item in items.items
            if not _is_batch_function(item)
            or (function is not None and not generic and _fits_batches(function, item))
        ]
        return UnionType.make_union(kept)

    def _bind_arguments(
        self,
        formal: Type,
        given: Expression,
        ctx: SignatureContext,
        bound: dict[TypeVarId, Type],
    ) -> None:
        """Bind the open type variables of a parameter by the type arguments of its argument."""
        formal = get_proper_type(formal)
        if not isinstance(formal, Instance):
            return
        base = formal.type.fullname
        for position in DECLARING.get(base, ()):
            variable = get_proper_type(formal.args[position])
            if isinstance(variable, TypeVarType):
                argument = self._argument_of(ctx.api.get_expression_type(given), base, position)
                if argument is not None:
                    bound.setdefault(variable.id, argument)


def _takes_batches(formal: Type) -> bool:
    formal = get_proper_type(formal)
    return isinstance(formal, UnionType) and any(map(_is_batch_function, formal.items))


def _is_batch_function(type_: Type) -> bool:
    type_ = get_proper_type(type_)
    return isinstance(type_, Instance) and type_.type.fullname in BATCH_FUNCTIONS


def _fits_batches(function: Type, item: Type) -> bool:
    """Return whether a function is an instance of a batch function class; mypy infers its type arguments."""
    item = get_proper_type(item)
    assert isinstance(item, Instance)
    wanted = item.copy_modified(args=[AnyType(TypeOfAny.special_form)])
    if isinstance(function, CallableType):
        # mypy would compare the class of all functions instead, and cache the result of another function.
        call = find_member("__call__", wanted, wanted, is_operator=True)
        return call is not None and is_subtype(function, call)
    return is_subtype(function, wanted)


def _declared(formal: Type) -> Instance | None:
    """Return ``TypeInformation[OUT, U]`` for a parameter of that type, or of that type or ``None``."""
    formal = get_proper_type(formal)
    for item in formal.items if isinstance(formal, UnionType) else [formal]:
        item = get_proper_type(item)
        if isinstance(item, Instance) and item.type.fullname == TYPE_INFORMATION:
            return item
    return None
