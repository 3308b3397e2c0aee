"""Encode exceptions to send them between processes: as text for the user, and as objects for the program."""

from __future__ import annotations

import base64
import io
import os
import pickle
import sys
import traceback
from typing import Any, Final, NamedTuple

from typeinfo.errors import shorten, summarize
from typeinfo.pickling import ValuePickler, dumps

__all__ = ["decode_exception", "encodable", "encode_exception", "shorten", "summarize", "user_traceback"]

_LINE_LIMIT: Final = 2_000
_TRACE_LIMIT: Final = 20_000
_CHAIN_LIMIT: Final = 2 * _TRACE_LIMIT
_PICKLE_LIMIT: Final = 100_000
_PART_LIMIT: Final = 10_000
_LINKED: Final = 10  # maximum number of exceptions shown per chain, and of members per group
_DEPTH: Final = 5  # maximum nesting depth of groups shown
_RELATIONS: Final = {
    "__cause__": "\nThe above exception was the direct cause of the following exception:\n\n",
    "__context__": "\nDuring handling of the above exception, another exception occurred:\n\n",
}


class _Link(NamedTuple):
    """The cause or context of an exception, and the name of the attribute that holds it."""

    attribute: str
    error: BaseException


class _Reduced(NamedTuple):
    """The parts from which an exception is rebuilt.

    Attributes:
        function: makes it of the arguments.
        arguments: for the function.
        state: the argument of ``__setstate__``, or ``None``.
        attributes: attributes to set.
    """

    function: Any
    arguments: Any
    state: Any
    attributes: dict[str, Any]


def encodable(text: str) -> str:
    """Escape lone surrogates, such as ``\\udce9``, so that UTF-8 can encode the text."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def user_traceback(error: BaseException) -> str:
    """Format the traceback of an exception as Python does, without the frames of this project.

    The chain of causes and contexts, the members of groups and the notes are part of it.

    Returns:
        The text; empty if neither user code nor another exception is involved.
    """
    if not (_user_frames(error) or _link(error) or _members(error) or getattr(error, "__notes__", None)):
        return ""
    text = _format_chain(error, 0).rstrip()
    return text if len(text) <= _CHAIN_LIMIT else f"({len(text)} characters) …{text[-_CHAIN_LIMIT:]}"


def encode_exception(error: BaseException) -> str:
    """Encode an exception with its causes, contexts and notes; empty if its class cannot be pickled.

    Attributes that cannot be pickled are dropped, and such arguments become their text.
    """
    for pickler in (_LinkedPickler, _LossyPickler, ValuePickler):
        buffer = io.BytesIO()
        try:
            pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(error)
            pickle.loads(buffer.getvalue())
        except Exception:  # noqa: BLE001, S112 - any attribute of an exception may refuse to be pickled
            continue
        if buffer.tell() <= _PICKLE_LIMIT:
            return base64.b64encode(buffer.getvalue()).decode()
    return ""


def decode_exception(text: str) -> BaseException | None:
    """Decode an exception encoded by `encode_exception`; ``None`` if that fails in this process."""
    if not text:
        return None
    try:
        value = pickle.loads(base64.b64decode(text))
    except Exception:  # noqa: BLE001 - any class may fail to rebuild itself; the text is kept anyway
        return None
    return value if isinstance(value, BaseException) else None


class _LinkedPickler(ValuePickler):
    """Pickles exceptions together with their causes and contexts, which pickle drops.

    They are rebuilt without ``__init__``, which need not take the arguments that the exception holds, unless
    the class has a ``__reduce__`` of its own.
    """

    def reducer_override(self, obj: Any) -> Any:
        if not isinstance(obj, BaseException):
            return super().reducer_override(obj)
        function, arguments, state, attributes = self._reduced(obj)
        if link := _link(obj):
            attributes = {**attributes, link.attribute: link.error}
        return function, arguments, (state, attributes), None, None, _restore

    def _reduced(self, error: BaseException) -> _Reduced:
        kind = type(error)
        if kind.__reduce__ is _builtin_base(kind).__reduce__ and kind.__reduce_ex__ is object.__reduce_ex__:
            return _reduced_parts(error)
        reduced: Any = error.__reduce_ex__(pickle.HIGHEST_PROTOCOL)
        function, arguments, *rest = reduced
        return _Reduced(function, arguments, rest[0] if rest else None, {})


class _LossyPickler(_LinkedPickler):
    """Pickles exceptions, dropping attributes that are large or cannot be pickled; arguments become text.

    The rest may be incomplete, so ``__setstate__`` is not called.
    """

    def _reduced(self, error: BaseException) -> _Reduced:
        function, (kind, *arguments), state, attributes = _reduced_parts(error)
        if not isinstance(error, BaseExceptionGroup):  # the members are exceptions, which can always be sent
            arguments = [arg if _can_be_sent(arg) else shorten(repr(arg), _LINE_LIMIT) for arg in arguments]
        attributes = {
            name: value for name, value in {**(state or {}), **attributes}.items() if _can_be_sent(value)
        }
        return _Reduced(function, (kind, *arguments), None, attributes)


def _reduced_parts(error: BaseException) -> _Reduced:
    """Return the parts, slots included, of an exception that does not define ``__reduce__``."""
    reduced: tuple[Any, ...] = _builtin_base(type(error)).__reduce__(error)
    _, arguments, *rest = reduced
    state: Any = object.__getstate__(error)
    slots = state[1] if isinstance(state, tuple) else {}
    return _Reduced(_rebuilt, (type(error), *arguments), rest[0] if rest else None, slots)


def _rebuilt(kind: type[BaseException], *arguments: Any) -> BaseException:
    base = _builtin_base(kind)
    error: BaseException = base.__new__(kind, *arguments)
    base.__init__(error, *arguments)
    return error


def _builtin_base(kind: type[BaseException]) -> Any:
    """Return the built-in class that determines the memory layout of an exception class."""
    base: Any = kind
    while base.__module__ != "builtins":
        base = base.__base__
    return base


def _can_be_sent(value: Any) -> bool:
    try:
        data = dumps(value)
        pickle.loads(data)
    except Exception:  # noqa: BLE001 - a user's class may raise anything
        return False
    return len(data) <= _PART_LIMIT


def _restore(error: BaseException, restored: tuple[Any, dict[str, Any]]) -> None:
    state, attributes = restored
    if state is not None and type(error).__setstate__ is not BaseException.__setstate__:
        error.__setstate__(state)
    else:
        attributes = {**(state or {}), **attributes}
    for name, value in attributes.items():
        object.__setattr__(error, name, value)  # even if the class forbids it, as frozen dataclasses do


def _format_chain(error: BaseException, depth: int) -> str:
    """Format an exception and its causes and contexts, oldest first."""
    texts = [_format_one(error, depth)]
    seen = {id(error)}
    while len(seen) < _LINKED and (link := _link(error)) is not None and id(link.error) not in seen:
        error = link.error
        seen.add(id(error))
        texts.append(_format_one(error, depth) + _RELATIONS[link.attribute])
    return "".join(reversed(texts))


def _format_one(error: BaseException, depth: int) -> str:
    frames = _user_frames(error)
    lines = ["Traceback (most recent call last):\n", *traceback.format_list(frames)] if frames else []
    last = "".join(traceback.format_exception_only(error)) if _has_text(error) else f"{summarize(error)}\n"
    text = shorten("".join(lines), _TRACE_LIMIT) + shorten(last, _LINE_LIMIT).rstrip("\n") + "\n"
    if depth < _DEPTH:
        for number, member in enumerate(_members(error)[:_LINKED], 1):
            text += f"  +---------------- {number} ----------------\n"
            text += "".join(
                f"  | {line}" for line in _format_chain(member, depth + 1).splitlines(keepends=True)
            )
    return text


def _link(error: BaseException) -> _Link | None:
    """Return the cause or context of an exception, unless it is internal to this project."""
    if error.__cause__ is not None:
        link = _Link("__cause__", error.__cause__)
    elif error.__context__ is not None and not error.__suppress_context__:
        link = _Link("__context__", error.__context__)
    else:
        return None
    internal = link.error.__traceback__ is not None and not _user_frames(link.error)
    return None if internal else link


def _user_frames(error: BaseException) -> list[traceback.FrameSummary]:
    frames = list(traceback.extract_tb(error.__traceback__))
    inside = tuple(os.path.join(sys.modules[name].__path__[0], "") for name in ("pystream", "typeinfo"))
    while frames and frames[0].filename.startswith(inside):
        del frames[0]
    while frames and frames[-1].filename.startswith(inside):
        del frames[-1]
    return frames


def _members(error: BaseException) -> tuple[BaseException, ...]:
    return error.exceptions if isinstance(error, BaseExceptionGroup) else ()


def _has_text(error: BaseException) -> bool:
    try:
        str(error)
    except BaseException:  # noqa: BLE001 - a user's __str__ may raise anything
        return False
    return True
