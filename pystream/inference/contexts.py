"""The objects that operators give to functions, as inference follows them: contexts, windows and states."""

from __future__ import annotations

from typing import Any, Final

from pystream.inference.conversions import opened
from pystream.inference.items import add_entry, add_item, item
from pystream.inference.methods import method_result
from pystream.inference.signatures import all_of
from pystream.inference.unions import element_of, joined
from pystream.inference.values import (
    NEVER,
    NONE,
    DictOf,
    Items,
    ListOf,
    Maybe,
    Provided,
    StateOf,
    Unknown,
    Value,
    maybe,
)
from typeinfo.basic import BOOLEAN, LONG, STRING
from typeinfo.info import TypeInformation
from typeinfo.pickled import is_pickled

__all__ = ["RUNTIME", "WINDOW", "context", "state_method", "state_of"]

WINDOW: Final = Provided("window", attributes=all_of(LONG, "start end id"), results={"max_timestamp": LONG})
"""A window."""

_STATES = frozenset(
    {"get_state", "get_list_state", "get_map_state", "get_reducing_state", "get_aggregating_state"}
)

RUNTIME: Final = Provided(
    "runtime context",
    results={
        **all_of(LONG, "get_attempt_number get_index_of_this_subtask"),
        **all_of(LONG, "get_max_number_of_parallel_subtasks get_number_of_parallel_subtasks"),
        **all_of(STRING, "get_job_parameter get_task_name get_task_name_with_subtasks"),
    },
    states=_STATES,
)
"""The runtime context, which `open` takes."""

_TIMES: Final = all_of(LONG, "current_processing_time current_watermark")
_TIMERS: Final = Provided(
    "timer service",
    results={
        **_TIMES,
        **all_of(NONE, "register_event_time_timer register_processing_time_timer"),
        **all_of(NONE, "delete_event_time_timer delete_processing_time_timer"),
    },
)
_STORE: Final = Provided("state of a window", states=_STATES)


def context(key: Value | None) -> Provided:
    """Return the context of a function.

    Args:
        key: the key that it has, ``None`` if elements have none; they need not have timestamps then.
    """
    return Provided(
        "context",
        results={
            **_TIMES,
            "timestamp": Maybe(LONG) if key is None else LONG,
            "timer_service": _TIMERS,
            "window": WINDOW,
            **all_of(_STORE, "window_state global_state"),
            **all_of(LONG, "get_left_timestamp get_right_timestamp"),
            "apply_to_keyed_state": NONE,
            **({} if key is None else {"get_current_key": key}),
        },
        states=frozenset({"get_broadcast_state"}),
    )


def state_of(getter: str, t: TypeInformation[Any]) -> StateOf:
    """Return a state.

    Args:
        getter: the method that gives it.
        t: the type of its content, as its descriptor has it.
    """
    content = opened(t)
    is_declared = not is_pickled(t)
    if not is_declared:
        empty: dict[str, Value] = {
            "get_list_state": ListOf(NEVER),
            "get_map_state": DictOf(NEVER, NEVER),
            "get_broadcast_state": DictOf(NEVER, NEVER),
            "get_state": NEVER,
            "get_reducing_state": NEVER,
        }
        content = empty.get(getter, Unknown("gets a state with the descriptor of another"))
    return StateOf(content, is_declared)


def state_method(state: StateOf, name: str, arguments: list[Value]) -> Value:
    """Return the result of a method of a state."""
    content = state.content
    match name, content:
        case ("get", ListOf()):
            return Items(content.element)
        case (("update" | "add" | "add_all"), ListOf()):
            if not state.is_declared:
                add_item(content, arguments[0] if name == "add" else element_of(arguments[0]))
            return NONE
        case ("get", DictOf()):
            return maybe(item(content, arguments[0]))
        case (("put" | "put_all"), DictOf()):
            if not state.is_declared:
                if name == "put":
                    add_entry(content, *arguments)
                else:
                    method_result(content, "update", arguments)
            return NONE
        case (("contains" | "is_empty"), DictOf()):
            return BOOLEAN
        case (("keys" | "values" | "items"), DictOf()):
            return method_result(content, name, arguments)
        case (("value" | "get"), _):
            return NONE if content is NEVER else maybe(content)
        case (("update" | "add"), _):
            if not state.is_declared:
                state.content = joined(content, arguments[0])
            return NONE
        case (("clear" | "remove"), _):
            return NONE
    return Unknown(f"calls .{name}() of a state")
