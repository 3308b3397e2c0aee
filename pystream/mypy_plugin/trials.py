"""Check calls tentatively first, so that mypy reports a mistake once, at its origin.

For a lambda with a wrong result, mypy reports both the lambda and its result. And it solves ``U`` of
``connect(words.map(f))`` by the parameter type of ``connect``, so that ``f`` is blamed for a result that
``connect`` does not accept.
"""

from __future__ import annotations

from mypy.argmap import map_actuals_to_formals
from mypy.checker import TypeChecker
from mypy.checkexpr import ExpressionChecker
from mypy.errorcodes import ARG_TYPE, MISC, RETURN_VALUE
from mypy.errors import ErrorInfo
from mypy.expandtype import expand_type
from mypy.nodes import ARG_NAMED, ARG_POS, CallExpr, Expression, LambdaExpr
from mypy.plugin import FunctionSigContext, MethodSigContext
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    Type,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from pystream.mypy_plugin.streams import DATA_STREAM
from typeinfo.mypy_plugin.lookups import Lookups

__all__ = ["CallTrials", "SignatureContext"]

SignatureContext = FunctionSigContext | MethodSigContext


class CallTrials(Lookups):
    """Checks calls without reporting, and changes their signatures according to the result."""

    def _blame_once(self, ctx: SignatureContext, signature: CallableType) -> CallableType:
        """Report a lambda that does not fit, without letting its type solve the type of the results.

        Returns:
            The signature to check the call by, which accepts the reported lambdas.
        """
        call, checker = ctx.context, ctx.api
        if not (isinstance(call, CallExpr) and isinstance(checker, TypeChecker)):
            return signature
        overloads = _of_that_many(checker, call)
        if not overloads or overloads[-1] != ctx.default_signature:
            return signature  # errors of other calls, or reported by a later overload
        expected = checker.expr_checker.type_context[-1]
        is_open = bool(signature.variables) and expected is not None and _is_stream(signature.ret_type)
        if not is_open and not any(isinstance(argument, LambdaExpr) for argument in call.args):
            return signature
        tried = [_tried(checker, overload, call, expected) for overload in (*overloads[:-1], signature)]
        if not all(errors for _, errors in tried):
            return signature
        _, errors = tried[-1]
        if is_open:
            result, own_errors = _tried(checker, signature, call, None)
            if len(own_errors) < len(errors):
                errors = own_errors
                signature = _solved(signature).copy_modified(ret_type=result)
        return self._without_reported(ctx, checker, signature, [errors for _, errors in tried[:-1]], errors)

    def _without_reported(
        self,
        ctx: SignatureContext,
        checker: TypeChecker,
        signature: CallableType,
        earlier: list[list[ErrorInfo]],
        errors: list[ErrorInfo],
    ) -> CallableType:
        """Report once each lambda for which mypy has two errors, and then accept it.

        Args:
            ctx: the call.
            checker: reports errors.
            signature: the signature of the call, the last overload of several.
            earlier: the errors of the overloads before.
            errors: its own.
        """
        formals = list(signature.arg_types)
        for position, given in enumerate(ctx.args):
            for argument in given:
                reports = _reports(argument, errors)
                other = next((found for found in (_reports(argument, e) for e in earlier) if found), [])
                checker.msg.add_errors(reports or other)
                if reports or other:
                    formals[position] = _accepting(formals[position], argument if reports else None)
        if formals == signature.arg_types:
            return signature
        solved = _solved(signature.copy_modified(arg_types=formals))
        return solved.copy_modified(ret_type=AnyType(TypeOfAny.from_error)) if earlier else solved


def _is_stream(type_: Type) -> bool:
    type_ = get_proper_type(type_)
    return isinstance(type_, Instance) and type_.type.has_base(DATA_STREAM)


def _of_that_many(checker: TypeChecker, call: CallExpr) -> list[CallableType]:
    """Return the overloads of the callee that accept this number of arguments."""
    callee = get_proper_type(checker.lookup_type(call.callee))
    if not isinstance(callee, FunctionLike) or any(kind.is_star() for kind in call.arg_kinds):
        return []
    return [item for item in callee.items if _takes(item, call)]


def _takes(signature: CallableType, call: CallExpr) -> bool:
    anything = AnyType(TypeOfAny.special_form)
    mapped = map_actuals_to_formals(
        call.arg_kinds, call.arg_names, signature.arg_kinds, signature.arg_names, lambda _: anything
    )
    lacking = any(
        kind in (ARG_POS, ARG_NAMED) and not given
        for kind, given in zip(signature.arg_kinds, mapped, strict=True)
    )
    return not lacking and sum(map(len, mapped)) == len(call.args)


def _tried(
    checker: TypeChecker, signature: CallableType, call: CallExpr, expected: Type | None
) -> tuple[Type, list[ErrorInfo]]:
    """Return a call's type in its type context, and the errors that mypy would report."""
    expressions: ExpressionChecker = checker.expr_checker
    expressions.type_context.append(expected)
    try:
        with (
            checker.msg.filter_errors(save_filtered_errors=True) as watcher,
            checker.local_type_map,
        ):
            result, _ = expressions.check_call(signature, call.args, call.arg_kinds, call, call.arg_names)
    finally:
        expressions.type_context.pop()
    return result, [error for error in watcher.filtered_errors() if error.severity == "error"]


def _reports(argument: Expression, errors: list[ErrorInfo]) -> list[ErrorInfo]:
    """Return the error to report for a lambda; empty unless mypy would report it twice."""
    if not isinstance(argument, LambdaExpr):
        return []
    repeated = [error for error in errors if error.code is RETURN_VALUE or _cannot_infer(error)]
    misfits = [
        error
        for error in errors
        if error.code is ARG_TYPE and (error.line, error.column) == (argument.line, argument.column)
    ]
    return misfits if repeated else []


def _cannot_infer(error: ErrorInfo) -> bool:
    return error.code is MISC and error.message == "Cannot infer type of lambda"


def _accepting(formal: Type, argument: Expression | None) -> Type:
    """Return a parameter type that accepts a lambda with any result, or ``None`` to accept anything."""
    anything = AnyType(TypeOfAny.from_error)
    formal = get_proper_type(formal)
    items = formal.items if isinstance(formal, UnionType) else [formal]
    for item in map(get_proper_type, items):
        if (
            isinstance(item, CallableType)
            and isinstance(argument, LambdaExpr)
            and len(item.arg_types) == len(argument.arguments)
        ):
            return item.copy_modified(ret_type=anything)
    return anything


def _solved(signature: CallableType) -> CallableType:
    """Return a signature without type variables to solve."""
    anything = AnyType(TypeOfAny.special_form)
    expanded = expand_type(signature, {variable.id: anything for variable in signature.variables})
    assert isinstance(expanded, CallableType)
    return expanded.copy_modified(variables=[])
