"""Names in pasted source: their imports, and notes for objects that cannot be imported."""

from __future__ import annotations

import builtins
import importlib
import re
import sys
import types
import warnings
from collections.abc import Iterable
from contextlib import suppress
from pathlib import PurePath
from typing import Any

__all__ = ["Cyclic", "Scope", "Unwritable", "shown"]

_RESERVED = {*dir(builtins), "datetime", "pickle", "spark"}
_SHOWN = 200
_MAIN = "__main__"
_FACADE = {"Types", "Row", "RowKind", "Instant"}


class Unwritable(Exception):  # noqa: N818 - never leaves the writing
    """Say that something cannot be written in one way, so that the next is tried."""


class Cyclic(Unwritable):
    """Say that an object contains itself, so that it cannot be written part by part."""

    def __init__(self, value: Any) -> None:
        super().__init__("it contains itself")
        self.value = value


def shown(value: Any) -> str:
    """Return the repr of an object on one line, whatever its class does."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - a user's __repr__ may raise anything
        text = object.__repr__(value)
    return " ".join(text.split())


class Scope:
    """Names and their objects, with which written source can be evaluated at once.

    Most are imported. A class or function that no import finds (defined in a function, or in the script that
    runs) keeps its name, and a value nothing makes again is given one; a note says what each is.
    """

    def __init__(self) -> None:
        self._bound: dict[str, Any] = {}
        self._imports: dict[tuple[str, str], str] = {}
        self._notes: dict[str, str] = {}
        self._stand_ins: dict[str, Any] = {}

    def notes(self) -> list[str]:
        """Return a comment for each name that is not imported."""
        return [f"# {note}" for note in self._notes.values()]

    def imports(self) -> list[str]:
        """Return the import statements, sorted."""
        modules = sorted(module for module, name in self._imports if not name)
        names: dict[str, list[str]] = {}
        for (module, name), used in sorted(self._imports.items()):
            if name:
                names.setdefault(module, []).append(name if name == used else f"{name} as {used}")
        return [
            *(
                f"import {m}" if m == self._imports[m, ""] else f"import {m} as {self._imports[m, '']}"
                for m in modules
            ),
            *(f"from {module} import {', '.join(found)}" for module, found in names.items()),
        ]

    def saved(self) -> tuple[dict[Any, Any], ...]:
        """Return a mark for ``restore``, which forgets all names added since."""
        return self._bound.copy(), self._imports.copy(), self._notes.copy(), self._stand_ins.copy()

    def restore(self, saved: tuple[dict[Any, Any], ...]) -> None:
        """Forget all names but those that were saved."""
        self._bound, self._imports, self._notes, self._stand_ins = (part.copy() for part in saved)

    def has_more_stand_ins(self, saved: tuple[dict[Any, Any], ...]) -> bool:
        """Tell whether something that cannot be written down was met since."""
        return len(self._stand_ins) > len(saved[-1])

    def evaluate(self, text: str) -> Any:
        """Evaluate an expression of these names."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return eval(text, self._bound.copy())

    def module(self, module: str, alias: str = "") -> str:
        """Return the name under which a module is imported, its own if no other is asked for.

        Raises:
            Unwritable: it is bound to another object already.
        """
        used = alias or module
        root = sys.modules[used.partition(".")[0] if not alias else module]
        if self._bound.setdefault(used.partition(".")[0], root) is not root:
            raise Unwritable(f"{used} is the name of something else")
        self._imports[module, ""] = used
        return used

    def imported(self, module: str, name: str, item: Any) -> str:
        """Return the name under which something of a module is imported: its own unless that is taken."""
        used = self._imports.get((module, name)) or self._free(name, item)
        self._imports[module, name] = used
        self._bound[used] = item
        return used

    def name(self, item: Any) -> str:
        """Return the name of a class or function in this scope."""
        module, qualname = str(getattr(item, "__module__", None)), str(item.__qualname__)
        if module == builtins.__name__ and getattr(builtins, qualname, None) is item:
            return qualname
        is_builtin = module == builtins.__name__  # where the classes of None and functions are not
        return (
            self._found(module, qualname, item)
            or self.kept(item, [module, *([types.__name__] if is_builtin else [])])
            or self._homeless(item, module, qualname)
        )

    def kept(self, item: Any, homes: Iterable[str]) -> str | None:
        """Return the name in this scope of a global object of some modules, ``None`` if it is none."""
        for home in dict.fromkeys(homes):
            for name, held in dict(getattr(_loaded(home), "__dict__", {})).items():
                if held is item and name.isidentifier():
                    return self._found(home, name, item)
        return None

    def _found(self, home: str, path: str, item: Any) -> str | None:
        first, _, rest = path.partition(".")
        root = getattr(_loaded(home), first, None)
        if root is None or not _is_at(root, rest, item):
            return None
        if home == _MAIN:
            used = self._noted(first, root, f"is of {_script()}")
        else:
            is_facade = home.startswith("typeinfo.") and first in _FACADE
            used = self.imported("typeinfo" if is_facade else home, first, root)
        return f"{used}.{rest}" if rest else used

    def _homeless(self, item: Any, module: str, qualname: str) -> str:
        outer, _, path = qualname.rpartition(".<locals>.")
        code = getattr(item, "__code__", None)
        home = _script() if module == _MAIN else module
        last = path.rpartition(".")[2]
        if not last.isidentifier():
            line = f" in line {code.co_firstlineno}" if code is not None else ""
            return self.stand_in(item, f"a {_kind(item)} of {home}{line}: put it in", _kind(item))
        said = "" if path == last else f"{path}, "
        if outer:
            where = f"is {said}defined inside {outer.replace('.<locals>.', '.')} of {home}"
            return self._noted(last, item, where)
        used = self._free(last, item)
        self._bound[used] = item
        self._notes[used] = f"{used} is {path}, which {home} does not keep under that name: put it in"
        return used

    def _noted(self, name: str, item: Any, where: str) -> str:
        used = self._free(name, item)
        self._bound[used] = item
        also = "" if used == name else f", called {name} there"
        self._notes[used] = f"{used} {where}{also}: paste this there"
        return used

    def note(self, key: str, text: str) -> None:
        """Add a comment, once for each key."""
        self._notes[key] = text

    def unpickled(self) -> None:
        """Note that a pickled object needs the running script."""
        self.note(_MAIN, f"what is unpickled is of {_script()}: paste this there")

    def stand_in(self, value: Any, reason: str = "", kind: str = "value") -> str:
        """Return a name for an object that cannot be written, with a note that says what to put in."""
        for name, held in self._stand_ins.items():
            if held is value:
                return name
        number = 1 + sum(name.startswith(f"{kind}_") for name in self._stand_ins)
        used = self._free(f"{kind}_{number}", value)
        self._bound[used] = self._stand_ins[used] = value
        text = shown(value)
        cut = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        self._notes[used] = f"{used} is {reason or f'{cut}, which cannot be written down: put it in'}"
        return used

    def with_reprs(self, text: str) -> str:
        """Return an expression with reprs of objects that cannot be written, for reading only."""
        for name, held in self._stand_ins.items():
            text = re.sub(rf"\b{name}\b", lambda _, held=held: shown(held), text)  # type: ignore[misc]
        return text

    def _free(self, name: str, item: Any) -> str:
        used, number = name, 1
        while used in _RESERVED or self._bound.get(used, item) is not item:
            number += 1
            used = f"{name}_{number}"
        return used


def _loaded(module: str) -> Any:
    with suppress(Exception):  # a module may raise anything
        return sys.modules.get(module) or importlib.import_module(module)
    return None


def _is_at(root: Any, path: str, item: Any) -> bool:
    for part in path.split(".") if path else ():
        root = getattr(root, part, None)
    return root is item or (isinstance(item, types.MethodType) and bool(root == item))


def _kind(item: Any) -> str:
    return "class" if isinstance(item, type) else "function"


def _script() -> str:
    file = getattr(sys.modules.get(_MAIN), "__file__", None)
    return f"the script {PurePath(file).name}" if file else "the interactive session"
