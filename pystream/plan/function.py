"""User functions in a plan: pickled when the program is built, and described for messages."""

from __future__ import annotations

import functools
import inspect
import os
from dataclasses import dataclass, field
from typing import Any, Final

from pystream.plan.suspension import refuse_suspended
from pystream.program_warnings import program_frame
from typeinfo.errors import PyStreamError, summarize
from typeinfo.notebook import cell_name
from typeinfo.pickling import dumps

__all__ = ["FunctionPicklingError", "UserFunction", "call_site", "describe_function", "picklable"]

_ITSELF: Final = object()


class FunctionPicklingError(PyStreamError, TypeError):
    """A function cannot be sent to a worker."""


@dataclass(frozen=True, slots=True)
class UserFunction:
    """A user function, captured when the operator was added; later changes to it have no effect.

    Attributes:
        value: the function or function object itself, for inference on the driver.
        payload: the cloudpickled function, which the workers run.
        description: its name and where it is defined.
        is_object: whether it is an instance of a function class, called by its methods.
        takes_batches: whether it is a batch function, called once per batch of elements.
        is_asynchronous: whether its calls are awaited.
    """

    value: Any = field(compare=False, repr=False)
    payload: bytes = field(repr=False)
    description: str
    is_object: bool = False
    takes_batches: bool = False
    is_asynchronous: bool = False

    @staticmethod
    def of(
        value: Any,
        operator: str,
        *,
        is_object: bool = False,
        takes_batches: bool = False,
        is_asynchronous: bool = False,
        described: Any = _ITSELF,
        carrier: Any = _ITSELF,
        blamed: Any = _ITSELF,
    ) -> UserFunction:
        """Pickle a function for an operator.

        Args:
            value: the function or function object.
            operator: the user's call, for messages.
            is_object: whether it is called by its methods.
            takes_batches: whether it is a batch function, called once per batch of elements.
            is_asynchronous: whether its calls are awaited.
            described: the user's function, if ``value`` is one of the project's own that contains it;
                ``None`` for no description.
            carrier: an object that contains the function, to be pickled instead of it.
            blamed: the user's function to name if pickling fails, if the pickled object is one of the
                project's own that contains it.

        Raises:
            FunctionPicklingError: the function, or something it refers to, cannot be pickled.
            PlanTypeError: its calls would not run, as it is asynchronous or a generator.
        """
        user = value if described is _ITSELF else described
        sent = value if carrier is _ITSELF else carrier
        description = "" if user is None else describe_function(user)
        if user is not None and not takes_batches and not is_asynchronous:
            refuse_suspended(user, operator, description)
        try:
            payload = dumps(sent)
        except Exception as error:
            if isinstance(error.__cause__, RecursionError):
                raise error.__cause__ from None  # the call that was given it says so
            culprit = sent if blamed is _ITSELF else blamed
            raise FunctionPicklingError(
                f"{operator}: {describe_function(culprit)} cannot be sent to the workers: "
                f"{summarize(error)}. "
                "Create what cannot be pickled (connections, locks, files) in open() of a function class "
                f"instead of capturing it{_suspects(culprit)}"
            ) from error
        return UserFunction(value, payload, description, is_object, takes_batches, is_asynchronous)


def describe_function(value: Any) -> str:
    """Describe a function for messages: ``lambda at app.py:12``, ``MyMap at app.py:5``, ``len``."""
    inner = value
    while isinstance(inner, functools.partial):
        inner = inner.func
    inner = inspect.unwrap(inner)
    if inspect.ismethod(inner):
        inner = inner.__func__
    code = getattr(inner, "__code__", None)
    if code is not None:
        name = "lambda" if inner.__name__ == "<lambda>" else inner.__qualname__
        return f"{name} at {_short_path(code.co_filename)}:{code.co_firstlineno}"
    if isinstance(inner, type) or inspect.isroutine(inner):
        return str(inner.__qualname__)
    cls = type(inner)
    codes = [m.__code__ for m in vars(cls).values() if inspect.isfunction(m)]
    if not codes:
        return cls.__qualname__
    first = min(codes, key=lambda c: c.co_firstlineno)
    return f"{cls.__qualname__} at {_short_path(first.co_filename)}:{first.co_firstlineno}"


def call_site() -> str:
    """Return ``file:line`` of the innermost caller outside this package, empty if there is none."""
    frame, _ = program_frame()
    return "" if frame is None else f"{_short_path(frame.f_code.co_filename)}:{frame.f_lineno}"


def _short_path(filename: str) -> str:
    cell = cell_name(filename)
    if cell is not None:
        return cell
    return _path_from(os.getcwd(), filename)


@functools.cache
def _path_from(folder: str, filename: str) -> str:
    relative = os.path.relpath(filename, folder) if os.path.isabs(filename) else filename
    return os.path.basename(filename) if relative.startswith("..") else relative


def _suspects(value: Any) -> str:
    """Return the names of the captured variables that cannot be pickled."""
    if inspect.isfunction(value):
        captured = {**inspect.getclosurevars(value).nonlocals, **inspect.getclosurevars(value).globals}
    else:
        captured = {f"self.{name}": held for name, held in getattr(value, "__dict__", {}).items()}
    names = [name for name, held in captured.items() if not picklable(held)]
    return f" (here: {', '.join(names)})" if names else ""


def picklable(value: Any) -> bool:
    """Return whether a value can be sent to a worker."""
    try:
        dumps(value)
    except Exception:  # noqa: BLE001 - any class may refuse in its own way; that it refuses is the answer
        return False
    return True
