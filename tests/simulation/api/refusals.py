"""Calls that must be refused: one argument is wrong, the others fit, and nothing of the call may remain."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from tests.simulation.api.calls import fitting, known_words
from tests.simulation.api.surface import callables, methods, objects
from tests.simulation.api.verdict import judged

__all__ = ["refuse_at_random"]


async def _asynchronous(*_: object) -> None:
    """Do nothing, later."""


_OF_OTHER_CLASSES: dict[str, tuple[Any, ...]] = {
    "int": (True, 1.5, "1", float("nan"), float("inf"), 2**64, b"1", [1], int, object()),
    "float": (True, "1.5", b"1", [1.5], float, object()),
    "bool": (1, 0, "true", [], object()),
    "str": (1, b"a", True, ["a"], str, object()),
    "Callable": (1, "f", [], object(), _asynchronous),
}
"""Values that no parameter with this annotation may take."""
_FITS: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "str": (str,),
    "Sequence": (list, str, bytes),
    "Iterable": (list, str, bytes),
    "Collection": (list, str, bytes),
    "list": (list,),
    "bytes": (bytes,),
}
_AMOUNT = re.compile(
    r"millis|seconds|timeout|interval|size|parallelism|count|capacity|attempts|retries|limit|fetch"
)
_IDENTIFIER = re.compile(r"(^|_)(name|uid|path|topic|host|hostname|url|queue|index|driver|id|dir|directory)$")
_DEPTH = 4
_NAMED = ("name of a table", "name of a function")
"""What paths are called in errors."""
_ALIASES = ("Compactor", "ResultPredicate")
"""Names of types of functions."""
_COLUMNS = ("Column", "ComputedColumn", "MetadataColumn", "PhysicalColumn")
_MEANINGFUL = {
    *("WatermarkTracker.job_manager_watermark_tracker",),  # there is none here
    *("Duration.of_millis.millis", "Instant.seconds"),  # times before others, and before 1970
    *("Instant.of_epoch_micro.epoch_micro", "Instant.of_epoch_milli.epoch_milli"),  # an Instant has far times
    "Types.of.tp",  # None is the type of None
    *(".name.name", ".execute.job_name", ".execute_and_collect.job_execution_name"),  # free texts
    ".primary_key_named.constraint_name",  # the same
    *("udf.name", "udaf.name", "udtf.name", "udtaf.name"),  # an empty one stands for that of the function
    *(
        "UserDefinedAggregateFunctionWrapper.name",
        "UserDefinedAsyncScalarFunctionWrapper.name",
        "UserDefinedScalarFunctionWrapper.name",
    ),  # given by these
    *("NumericType.name", "IntegralType.name", "FractionalType.name"),  # given by their subclasses
    "ModuleEntry.module_name",  # given by list_full_modules
    ".get_catalog.catalog_name",  # finds none
    *(".json_exists.path", ".json_query.path", ".json_value.path"),  # places in JSON, not in a file system
    *(
        "DataTypes.FIELD.name",
        "Expression.get.name",
        "RowField.name",
        *(f"{cls}.name" for cls in _COLUMNS),
        *(f"{cls}.{factory}.name" for cls in _COLUMNS for factory in ("metadata", "physical")),
        "AtomicType.name",
    ),  # fields may have the empty name
    "ExecutionConfig.set_latency_tracking_interval.interval",  # read back, without effect
    *("CustomCheckpointStorage", "JobManagerCheckpointStorage", "MemoryStateBackend"),  # the same
    *("JdbcExecutionOptions", "FileCompactor"),  # made by builders and factories, which check
    *(
        "TimeWindow.get_window_start_with_offset",
        "Row.as_dict",
        "Row.get_fields_by_names",
    ),  # run once an element
}
"""Calls, and arguments of calls, for which values that are wrong elsewhere have a meaning."""


def refuse_at_random(random: Random) -> None:
    """Make a call with a wrong argument.

    Raises:
        AssertionError: it is accepted, changes something, or its error does not help.
    """
    pool = objects()
    places = _places(random, pool)
    owner, name, parameters, position, value = random.choice(places)
    refuse(random, pool, owner, name, parameters, position, value)


def refuse(
    random: Random,
    pool: list[Any],
    owner: Any,
    name: str,
    parameters: tuple[inspect.Parameter, ...],
    position: int,
    value: Any,
) -> None:
    """Make one call whose argument at a position is wrong.

    Raises:
        AssertionError: it is accepted, changes something, or its error does not help.
    """
    called = getattr(owner, name) if name else owner
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for place, parameter in enumerate(parameters):
        if place != position and parameter.default is not parameter.empty:
            continue
        argument = value if place == position else fitting(random, parameter, pool)
        if parameter.kind is parameter.KEYWORD_ONLY or len(args) < place:
            kwargs[parameter.name] = argument
        else:
            args.append(argument)
    wrong = parameters[position].name
    names = [parameter.name for parameter in parameters]
    label = f"{_label(owner, name)}({wrong}={repr(value)[:40]})"
    subjects = [*names, *known_words(names), _label(owner, name), name or owner.__qualname__, *_NAMED]
    before = _state(owner)
    results: list[Any] = []
    try:
        judged(lambda: results.append(called(*args, **kwargs)), subjects)
    except AssertionError as error:
        error.args = (f"{label}: {error.args[0]}",)
        raise
    assert not results, f"{label} is accepted"
    assert _state(owner) == before, f"{label} is refused, but something of it remains"


def places(pool: list[Any]) -> Iterator[tuple[Any, str, tuple[inspect.Parameter, ...], int, Any]]:
    """Yield every wrong argument: the object, the method, its parameters, the position and the value."""
    for owner in (*callables(), *pool):
        called = ["", *methods(owner)] if inspect.isclass(owner) else methods(owner)
        if inspect.isfunction(owner):
            called = [""]
        for name in called:
            if not name and inspect.isclass(owner) and inspect.isabstract(owner):
                continue
            try:
                signature = inspect.signature(getattr(owner, name) if name else owner)
            except (TypeError, ValueError):  # a property, or a class of C
                continue
            parameters = tuple(signature.parameters.values())
            for position, parameter in enumerate(parameters):
                if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
                    continue
                if _is_meaningful(_label(owner, name), parameter.name):
                    continue
                for value in _wrong(parameter):
                    yield owner, name, parameters, position, value


def _places(random: Random, pool: list[Any]) -> list[Any]:
    fixed = _of_classes()
    return list(fixed) if random.random() < 0.5 else list(places(pool))


@cache
def _of_classes() -> tuple[Any, ...]:
    return tuple(places([]))


def _wrong(parameter: inspect.Parameter) -> Iterator[Any]:
    """Yield values that a parameter must refuse, by its annotation and its name."""
    annotation = str(parameter.annotation)
    while "[" in annotation:
        annotation, former = re.sub(r"\[[^\[\]]*\]", "", annotation), annotation
        if annotation == former:
            return
    parts = [part.strip() for part in annotation.split("|")]
    open_ended = any(part in ("Any", "object") or len(part) <= 2 or part in _ALIASES for part in parts)
    if open_ended or not all(re.fullmatch(r"[A-Za-z.]+", part) for part in parts):
        return
    for value in _candidates(parts):
        if not any(_fits(value, part) for part in parts):
            yield value
    if "None" not in parts and parameter.default is not None:
        yield None
    if parts == ["int"] and _AMOUNT.search(parameter.name):
        yield -(2**40)
    if "str" in parts and _IDENTIFIER.search(parameter.name):
        yield ""


def _candidates(parts: list[str]) -> list[Any]:
    known = [part for part in parts if part in _OF_OTHER_CLASSES]
    return [value for part in known for value in _OF_OTHER_CLASSES[part]] or [object()]


def _fits(value: Any, part: str) -> bool:
    if part in ("Callable", "type"):
        return callable(value) if part == "Callable" else isinstance(value, type)
    exact = isinstance(value, bool) and part in ("int", "float")
    huge = part == "int" and isinstance(value, int) and abs(value) >= 2**63
    return isinstance(value, _FITS.get(part, ())) and not exact and not huge


def _state(value: Any, depth: int = _DEPTH) -> Any:
    """Return what an object holds, as far as objects of the project and containers hold it."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_state(element, depth - 1) for element in value] if depth else len(value)
    if isinstance(value, dict):
        return [(id(key), _state(held, depth - 1)) for key, held in value.items()] if depth else len(value)
    if depth and type(value).__module__.startswith(("pystream.", "typeinfo.")):
        attributes = getattr(value, "__dict__", {})
        return [(name, _state(held, depth - 1)) for name, held in sorted(attributes.items())]
    return value if isinstance(value, (int, str, bytes, float, type(None))) else id(value)


def _is_meaningful(call: str, parameter: str) -> bool:
    method = call.rpartition(".")[2]
    return bool({call, f"{call}.{parameter}", f".{method}.{parameter}"} & _MEANINGFUL)


def _label(owner: Any, name: str) -> str:
    if not name:
        return str(owner.__qualname__)
    cls = owner if inspect.isclass(owner) else type(owner)
    return f"{cls.__qualname__}.{name}"
