"""Asynchronous scalar functions: of the values of a row to one value that they wait for."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from inspect import iscoroutinefunction
from typing import Any, ClassVar, Generic, TypeVar

from pystream.errors import ConfigurationError, PlanTypeError
from pystream.plan.function import describe_function
from pystream.table.expression.expression import Expression
from pystream.table.function_definition import ScalarFunctionDefinition
from pystream.table.user_functions.user_defined_function import UserDefinedFunction
from pystream.table.user_functions.wrapper import ValueFunctionWrapper

__all__ = ["AsyncScalarFunction", "UserDefinedAsyncScalarFunctionWrapper", "is_asynchronous"]

R = TypeVar("R")


class AsyncScalarFunction(UserDefinedFunction):
    """A function of any number of values to one value that it waits for, such as the answer of a service.

    Several calls wait at the same time, in one event loop, as many as
    ``table.exec.async-scalar.max-concurrent-operations`` says; results keep the order of the rows. A call
    that raises is made again as ``table.exec.async-scalar.retry-strategy``, ``.max-attempts`` and
    ``.retry-delay`` say; together, the attempts may take as long as ``table.exec.async-scalar.timeout``.
    An ``eval`` that blocks the event loop instead of awaiting holds up all other calls, and the timeout.

    An instance is pickled when it is given a name in SQL, and rebuilt in each task. What cannot be pickled,
    such as a connection, is made in ``open``, which is called outside of the event loop.
    Mirrors ``org.apache.flink.table.functions.AsyncScalarFunction``.
    """

    @abstractmethod
    async def eval(self, *args: Any, **kwargs: Any) -> Any:
        """Return the result for the values of one row; ``None`` stands for null."""


class UserDefinedAsyncScalarFunctionWrapper(ValueFunctionWrapper, Generic[R]):
    """An asynchronous function that SQL can call once it has a name there, and expressions at once.

    Made by ``udf``. A call is always an expression, also of plain values.
    Mirrors ``pyflink.table.udf.UserDefinedAsyncScalarFunctionWrapper``.
    """

    _example: ClassVar[str] = "one made by udf"

    def __call__(self, *args: Any, **kwargs: Any) -> Expression[R]:
        """Return the expression of a call.

        Raises:
            PlanTypeError: an argument has a name.
        """
        expression: Expression[R] = super().__call__(*args, **kwargs)
        return expression

    def _definition(self, name: str, call: str) -> ScalarFunctionDefinition:
        return self._scalar_definition(name, self._user_function(call, is_asynchronous=True))


def is_asynchronous(f: object, *, takes_batches: bool) -> bool:
    """Return whether calls of the function of ``udf`` are awaited.

    Args:
        f: the function, or an instance of a function class.
        takes_batches: whether it is to be called with whole columns.

    Raises:
        ConfigurationError: both are the case.
        PlanTypeError: ``eval`` of an ``AsyncScalarFunction`` is synchronous.
    """
    if isinstance(f, AsyncScalarFunction) and not iscoroutinefunction(f.eval):
        raise PlanTypeError(
            f"udf: eval of {describe_function(f)} is synchronous; declare it with async def, or make it "
            "one of a ScalarFunction"
        )
    inner: Any = f
    while isinstance(inner, partial):
        inner = inner.func
    found = isinstance(f, AsyncScalarFunction) or (
        not isinstance(f, UserDefinedFunction)
        and (iscoroutinefunction(inner) or iscoroutinefunction(getattr(inner, "__call__", None)))  # noqa: B004
    )
    if found and takes_batches:
        raise ConfigurationError(
            f"udf: Async scalar functions do not support pandas func_type: {describe_function(f)}; leave out "
            "func_type"
        )
    return found
