"""Compile functions of rows to kernels: the same composition, of kernels in place of functions of values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, Protocol, TypeAlias

import pyarrow as pa

from pystream.table.functions.kernels.casts import CASTS
from pystream.table.functions.kernels.decimal_casts import DECIMAL_CASTS
from pystream.table.functions.kernels.decimals import DECIMALS
from pystream.table.functions.kernels.logic import CONDITIONS, LAZY
from pystream.table.functions.kernels.numbers import NUMBERS
from pystream.table.functions.kernels.operands import Kernel, Operand, widened
from pystream.table.functions.kernels.texts import OF_PATTERN, TEXTS
from pystream.table.functions.kernels.times import OF_CONSTANT, TIMES
from pystream.table.functions.values import calls, records
from pystream.table.functions.values.containers import field_of

__all__ = ["ColumnEvaluate", "Rows", "kernel_of", "kernel_of_value"]


class Rows(Protocol):
    """Rows whose columns are read."""

    def array(self, position: int, *fields: int) -> pa.Array:
        """Return a column of values that Arrow and Python compute alike.

        Args:
            position: the column.
            fields: the field of the column's rows that is read, then the field of that one's rows, and so on.

        Raises:
            NotComputedError: they are not.
        """
        ...


ColumnEvaluate: TypeAlias = Callable[[Rows], Operand]
"""A function of rows, whose numbers have 64 bits; it may raise NotComputedError or an exception of Arrow."""

_VALUES: Mapping[Any, Kernel] = {**NUMBERS, **DECIMALS, **DECIMAL_CASTS, **TEXTS, **TIMES, **CASTS}
_OF_CONSTANTS: Mapping[Any, Kernel] = {**OF_CONSTANT, **OF_PATTERN}
_STRICT = (calls.of_one, calls.of_two)


class _NoKernelError(Exception):
    """A part of an expression has no kernel."""


def kernel_of(evaluate: Any) -> ColumnEvaluate | None:
    """Return a function of rows as one of columns, ``None`` if a part of it has no kernel."""
    try:
        return _compiled(evaluate)
    except _NoKernelError:
        return None


def kernel_of_value(function: Any) -> Kernel | None:
    """Return the kernel of a function of values, ``None`` if it has none."""
    given: tuple[Any, ...] = ()
    if isinstance(function, partial):
        function, given = function.func, function.args
    kernel = _VALUES.get(function)
    return kernel and partial(kernel, *given)


def _compiled(evaluate: Any) -> ColumnEvaluate:
    path = _path(evaluate)
    if path:
        return partial(_column, path)
    if not isinstance(evaluate, partial):
        raise _NoKernelError
    compose, arguments = evaluate.func, evaluate.args
    if compose is calls.of_constant:
        return partial(_constant, _scalar(*arguments))
    if compose in _STRICT:
        function, *parts = arguments
        return _applied(_required(function), list(map(_compiled, parts)))
    if compose is calls.of_one_and_constant:
        function, one, other = arguments
        if function in _OF_CONSTANTS:
            return _applied(_OF_CONSTANTS[function], [_compiled(one), partial(_constant, other)])
        return _applied(_required(function), [_compiled(one), partial(_constant, _scalar(other))])
    if compose is calls.of_all:
        function, parts = arguments
        if function in _OF_CONSTANTS:
            one, *others = parts
            return _applied(_OF_CONSTANTS[function], [_compiled(one), *map(_as_it_is, others)])
        return _applied(_required(function), list(map(_compiled, parts)))
    if compose is calls.of_lazy and arguments[0] in LAZY:
        function, parts = arguments
        return _applied(LAZY[function], list(map(_compiled, parts)))
    if compose in CONDITIONS:
        return _applied(CONDITIONS[compose], list(map(_part, arguments)))
    raise _NoKernelError


def _path(evaluate: Any) -> tuple[int, ...]:
    """Return the column that a function reads, and the fields of rows in it; nothing for other functions."""
    if isinstance(evaluate, itemgetter):
        reduced: Any = evaluate.__reduce__()
        _, (position,) = reduced
        return (position,)
    if not isinstance(evaluate, partial):
        return ()
    if evaluate.func is records.field_at:
        _, position, field = evaluate.args
        return (position, field)
    if evaluate.func is calls.of_one:
        function, row = evaluate.args
        path = _path(row)
        if path and isinstance(function, partial) and function.func is field_of:
            return (*path, *function.args)
    return ()


def _as_it_is(evaluate: Any) -> ColumnEvaluate:
    """Return a constant as it is, not as a scalar."""
    if not (isinstance(evaluate, partial) and evaluate.func is calls.of_constant) or None in evaluate.args:
        raise _NoKernelError
    return partial(_constant, *evaluate.args)


def _required(function: Any) -> Kernel:
    kernel = kernel_of_value(function)
    if kernel is None:
        raise _NoKernelError
    return kernel


def _part(argument: Any) -> ColumnEvaluate:
    """Return a parameter of a composition, with operands in place of the functions of rows in it."""
    if isinstance(argument, (partial, itemgetter)):
        return _compiled(argument)
    if isinstance(argument, tuple):
        return partial(_parts, tuple(map(_part, argument)))
    if callable(argument):
        raise _NoKernelError
    return partial(_constant, argument)


def _applied(kernel: Callable[..., Operand], parts: Sequence[ColumnEvaluate]) -> ColumnEvaluate:
    return partial(_apply, kernel, tuple(parts))


def _apply(kernel: Callable[..., Operand], parts: tuple[ColumnEvaluate, ...], rows: Rows) -> Operand:
    return kernel(*[part(rows) for part in parts])


def _parts(parts: tuple[ColumnEvaluate, ...], rows: Rows) -> tuple[Operand, ...]:
    return tuple(part(rows) for part in parts)


def _column(path: tuple[int, ...], rows: Rows) -> Operand:
    return widened(rows.array(*path))


def _constant(value: Any, rows: Rows) -> Any:
    return value


def _scalar(value: Any) -> pa.Scalar:
    if value is None:
        raise _NoKernelError
    try:
        return pa.scalar(value)
    except (pa.ArrowException, OverflowError) as error:
        raise _NoKernelError from error
