"""Random flat maps as source text: generators, lists that are appended to, collectors and returned lists.

Each may call two generator functions of its own, and mostly reads their elements at once.
"""

from __future__ import annotations

import random
from typing import Any

from tests.property.lifted_functions import FIELDS, ROW, Writer
from typeinfo import TypeInformation, Types
from typeinfo.extended import optional_of

__all__ = ["DECLARED", "flat_map_text"]

NAMES = ["a", "b", "c"]
DECLARED: dict[str, TypeInformation[Any]] = {
    "named": Types.ROW_NAMED(NAMES, [Types.LONG(), Types.DOUBLE(), Types.STRING()]),
    "tuple": Types.TUPLE([Types.LONG(), Types.FLOAT(), Types.STRING()]),
    "whole": ROW,
    "number": Types.DOUBLE(),
    "small": Types.SHORT(),
    "perhaps": optional_of(Types.LONG()),
}
"""The declared types of results, by the kind of values in the source text."""


class FlatMapWriter(Writer):
    """Writes the bodies of flat maps whose results are declared to be of a type."""

    def __init__(self, r: random.Random, kind: str) -> None:
        super().__init__(r)
        self.kind = kind
        self.style = r.choice(["yield", "yield", "append", "collect"])
        self.names = 0

    def helper(self, name: str, kind: str) -> list[str]:
        """Write a generator function of the row and a number, which yields values of a kind."""
        r = self.r
        self.locals["int"].append("n")
        write = self.int if kind == "int" else self.str
        lines = [f"yield {write(1)}"]
        if r.random() < 0.5:
            lines = [f"if {self.bool(1)}:", f"    {r.choice(['return', lines[0]])}"]
        source = "range(n % 3)" if kind == "int" else self.texts(0)
        skipped = [f"    if {self.bool(1)}:", "        continue"] if r.random() < 0.3 else []
        lines += [f"for w in {source}:", *skipped, "    yield w"]
        if r.random() < 0.3:
            lines.append(f"yield from [{write(1)}]")
        self.locals["int"].remove("n")
        return [f"def {name}(r, n):", *indented(lines)]

    def numbers(self) -> str:
        return f"numbers(r, {self.int(0)})"

    def words(self) -> str:
        return f"words(r, {self.int(0)})"

    def texts(self, depth: int) -> str:
        if depth > 0 and self.r.random() < 0.1:
            words = self.words()
            return self.r.choice([f"list({words})", f"[w for w in {words}]", f"list(w for w in {words})"])
        return super().texts(depth)

    def kept(self) -> list[str]:
        """Write statements that read a generator later, again, or as something else."""
        self.names += 1
        name = f"v{self.names}"
        made = self.r.choice([self.numbers(), self.words(), f"(w for w in {self.words()})"])
        uses = [
            [f"for w in {name}:", f"    {self.give()}"],
            [f"for w in list({name}):", f"    {self.give()}"],
            [f"if {name}:", f"    {self.give()}"],
            [f"if 1 in {name}:", f"    {self.give()}"],
        ]
        return [f"{name} = {made}", *self.r.choice(uses), *self.r.choice(uses)]

    def element(self) -> str:
        """Write a result, which mostly is of the declared type."""
        r, fields = self.r, [self.int(1), self.number(1), self.str(1)]
        a, b, c = fields
        if r.random() < 0.03:
            return "None"
        match self.kind:
            case "named":
                named = [f"{name}={value}" for name, value in zip(NAMES, fields, strict=True)]
                r.shuffle(named)
                forms = [f"Row({a}, {b}, {c})", f"({a}, {b}, {c})", f"Row({', '.join(named)})"]
                return r.choice(
                    [*forms, f"(Row({a}, 1, None) if {self.bool(1)} else Row(a=1, b={b}, c={c}))"]
                )
            case "tuple":
                return r.choice([f"({a}, {b}, {c})", f"Row({a}, 2, {c})", f"({a}, r.f, 'a')"])
            case "whole":
                changed = [f"r[{index}]" for index in range(len(FIELDS))]
                changed[r.choice([0, 1, 3])] = self.int(1)
                changed[4] = self.number(1)
                return r.choice(["r", f"Row({', '.join(changed)})"])
            case "number":
                return self.number(2)
            case "small":
                return r.choice([self.int(1), "r.k % 7", "(1 if r.b else None)"])
        return r.choice([self.int(2), "r.n", "None"])

    def give(self) -> str:
        value = self.element()
        match self.style:
            case "append":
                return f"out.append({value})"
            case "collect":
                return f"out.collect({value})"
        return f"yield {value}"

    def give_each(self) -> str:
        elements = ", ".join(self.element() for _ in range(self.r.choice([0, 1, 2])))
        listed = self.r.choice(
            [
                f"[{elements}]",
                f"[{self.element()} for w in {self.texts(1)}]",
                f"({self.element()} for w in {self.words()})",
                f"(w for w in [{elements}])",
                self.numbers() if self.kind in ("number", "small", "perhaps") else f"[{elements}]",
            ]
        )
        match self.style:
            case "append":
                return self.r.choice([f"out.extend({listed})", f"out += {listed}"])
            case "collect":
                return "pass"
        return f"yield from {listed}"

    def body(self, depth: int, *, loops: bool) -> list[str]:
        """Write statements; those in a loop may continue or break, the others may return."""
        lines = []
        if self.r.random() < 0.02:
            lines += self.kept()
        for _ in range(self.r.randint(1, 3)):
            form = self.r.random()
            if depth <= 0 or form < 0.35:
                lines.append(self.give() if self.r.random() < 0.7 else self.give_each())
            elif form < 0.5:
                self.names += 1
                lines.append(f"v{self.names} = {self.int(1)}")
                self.locals["int"].append(f"v{self.names}")
            elif form < 0.65:
                end = "continue" if loops else "return out" if self.style == "append" else "return"
                lines += [
                    f"if {self.bool(1)}:",
                    *indented([self.give()] * self.r.choice([0, 1])),
                    f"    {end}",
                ]
            elif form < 0.85:
                lines += [f"if {self.bool(1)}:", *self.inner(depth, loops=loops)]
                if self.r.random() < 0.5:
                    lines += ["else:", *self.inner(depth, loops=loops)]
            else:
                self.names += 1
                name = f"v{self.names}"
                texts = self.r.random() < 0.5
                sources = ["r.l", "[1, 2]", "range(3)", self.numbers()]
                source = self.r.choice([self.texts(1), self.texts(1), self.words()] if texts else sources)
                target, kind = name, "str" if texts else "int"
                if self.r.random() < 0.3:
                    self.locals["int"].append(f"i{name}")
                    target, source = f"i{name}, {name}", f"enumerate({source})"
                self.locals[kind].append(name)
                lines += [f"for {target} in {source}:", *self.inner(depth, loops=True)]
                self.locals[kind].remove(name)
                if f"i{name}" in self.locals["int"]:
                    self.locals["int"].remove(f"i{name}")
        return lines

    def inner(self, depth: int, *, loops: bool) -> list[str]:
        before = {kind: list(names) for kind, names in self.locals.items()}
        lines = indented(self.body(depth - 1, loops=loops))
        self.locals = before
        return lines

    def listed(self, depth: int = 2) -> str:
        """Write an expression that gives a list of results."""
        elements = ", ".join(self.element() for _ in range(self.r.choice([0, 1, 2, 3])))
        forms = [
            f"[{elements}]",
            f"[{elements}]",
            "None",
            f"[{self.element()} for w in {self.texts(1)} if w]",
            f"({self.element()} for w in {self.words()} if w)",
        ]
        if depth:
            forms += [
                f"({self.listed(depth - 1)} if {self.bool(1)} else {self.listed(depth - 1)})",
                f"[{self.element()}, *[{elements}]]",
                f"[{self.element()}, *({self.element()} for w in {self.numbers()})]",
                f"([{elements}] + [{self.element()}])",
            ]
        return self.r.choice(forms)


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def flat_map_text(seed: int, kind: str) -> str:
    """Return the source of a flat map ``f`` of a row, and of the functions that it calls."""
    writer = FlatMapWriter(random.Random(seed), kind)
    helpers = [*writer.helper("numbers", "int"), *writer.helper("words", "str")]
    before = "".join(f"{line}\n" for line in helpers)
    if writer.r.random() < 0.3:
        return f"{before}f = lambda r: {writer.listed()}\n"
    lines = writer.body(2, loops=False)
    if writer.style == "append":
        early = [f"if {writer.bool(1)}:", "    return []"] if writer.r.random() < 0.3 else []
        lines = [*early, "out = []", *lines, "return out"]
    taken = "r, out" if writer.style == "collect" else "r"
    return f"{before}def f({taken}):\n" + "".join(f"{line}\n" for line in indented(lines))
