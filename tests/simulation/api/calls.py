"""Random calls: most arguments fit, one does not."""

from __future__ import annotations

import inspect
import re
from random import Random
from typing import Any

from tests.simulation.api.surface import callables, methods, objects
from tests.simulation.api.values import hostile_values
from tests.simulation.api.verdict import judged

__all__ = ["call_at_random", "fitting", "known_words"]

_TEXTS = ("a", "f0", "f1", "t", "file:///tmp/of/a/test", "a.b", "UTC")


def call_at_random(random: Random) -> None:
    """Make a few calls on objects of the public API; results take part in the later ones.

    Raises:
        AssertionError: an error does not help.
    """
    pool = objects()
    for _ in range(random.randint(1, 4)):
        owner, name = _target(random, pool)
        if name is None:
            continue
        called = owner if name == "" else getattr(owner, name)
        label = owner.__qualname__ if inspect.isclass(owner) or name == "" else type(owner).__qualname__
        if not callable(called):
            continue
        args, kwargs, names = _arguments(random, called, pool)
        subjects = [
            name or label,
            label.rpartition(".")[2],
            *names,
            *known_words(names),
            *_texts(args),
            "expression",
            "literal",
            "parallelism",
            "Duration",
            "feedback",
            "a table",
            "no field",
            "column",
            "execution.",
            "EXCEPT",  # of minus
            "INTERSECT",
        ]
        try:
            result = judged(lambda called=called, a=args, k=kwargs: called(*a, **k), subjects)
        except AssertionError as error:
            error.args = (f"{label}.{name or '__init__'}({', '.join(names)}): {error.args[0]}",)
            raise
        if type(result).__module__.startswith(("pystream.", "typeinfo.")):
            pool.append(result)


def known_words(names: list[str]) -> list[str]:
    """Return the words of the names of parameters, in the singular."""
    return [word.rstrip("s123") for name in names for word in name.split("_") if len(word) > 2]


def _texts(args: list[Any]) -> list[str]:
    return [argument for argument in args if isinstance(argument, str) and 0 < len(argument) < 50]


def _target(random: Random, pool: list[Any]) -> tuple[Any, str | None]:
    if random.random() < 0.5:
        owner = random.choice(callables())
        if not inspect.isclass(owner):
            return owner, ""
        names = [*methods(owner), *([] if inspect.isabstract(owner) else [""])]
    else:
        owner = random.choice(pool)
        names = methods(owner)
    return owner, random.choice(names) if names else None


def _arguments(random: Random, called: Any, pool: list[Any]) -> tuple[list[Any], dict[str, Any], list[str]]:
    try:
        parameters = list(inspect.signature(called).parameters.values())
    except ValueError:  # a class of C
        return [], {}, []
    wrong = random.randrange(len(parameters)) if parameters and random.random() < 0.85 else -1
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for position, parameter in enumerate(parameters):
        optional = parameter.default is not parameter.empty
        if parameter.kind is parameter.VAR_KEYWORD or (
            optional and position != wrong and random.random() < 0.6
        ):
            continue
        value = hostile_values(random) if position == wrong else fitting(random, parameter, pool)
        if parameter.kind is parameter.VAR_POSITIONAL:
            args += [value] if len(args) == position else []
        elif parameter.kind is parameter.KEYWORD_ONLY or len(args) < position:
            kwargs[parameter.name] = value
        else:
            args.append(value)
    return args, kwargs, [parameter.name for parameter in parameters]


def fitting(random: Random, parameter: inspect.Parameter, pool: list[Any]) -> Any:
    """Return an argument of a class that the annotation names, as far as there is one."""
    words = set(re.findall(r"\w+", str(parameter.annotation)))
    found = [value for value in pool if words & {base.__name__ for base in type(value).__mro__[:-1]}]
    found += _TEXTS if "str" in words else ()
    found += (1, 2, 5) if words & {"int", "float"} else ()
    found += (True, False) if "bool" in words else ()
    found += (_first,) if "Callable" in words else ()
    found += () if parameter.default is parameter.empty else (parameter.default,)
    return random.choice(found) if found else hostile_values(random)


def _first(*arguments: Any) -> Any:
    return arguments[0] if arguments else None
