"""SqlFunction: the declaration of a function of SQL."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from enum import Enum, auto
from typing import Any, TypeAlias

from pystream.sql_types.data_types import DataType
from pystream.table.functions.kinds import Kind, kind_of
from pystream.table.functions.parameters import Parameters, type_names

__all__ = ["Arguments", "Nulls", "SqlFunction"]


@dataclass(frozen=True, slots=True)
class Arguments:
    """What is known of the arguments of a call before it is evaluated.

    Attributes:
        types: their types.
        constants: the values of those that are literals, by position.
        calls: the name of the declared function that each of them calls, by position; empty for others.
        zone: the time zone of TIMESTAMP_LTZ, ``None`` if it is not known.
    """

    types: Sequence[DataType]
    constants: Mapping[int, Any] = field(default_factory=dict)
    calls: Mapping[int, str] = field(default_factory=dict)
    zone: tzinfo | None = None


Returns: TypeAlias = DataType | Callable[[Arguments], DataType]


class Nulls(Enum):
    """When the result of a function is null.

    Attributes:
        OF_ARGUMENTS: if an argument is null, and only then.
        AND_OTHERS: if an argument is null, and for some other values.
        AS_DECLARED: as the function of values says, which gets the nulls; its type may be declared NOT NULL.
        LAZILY: the same, for a function of the row and of functions that return the arguments for it, so that
            it evaluates only those that it needs.
    """

    OF_ARGUMENTS = auto()
    AND_OTHERS = auto()
    AS_DECLARED = auto()
    LAZILY = auto()


@dataclass(frozen=True, slots=True)
class SqlFunction:
    """A function of SQL, from which its checks, its type, its results and its documentation follow.

    Attributes:
        name: its name.
        takes: its parameters, as `Parameters.of` reads them; a semicolon is between those of different
            forms.
        returns: the type of its results, or a function that returns it for the arguments of a call.
        does: one sentence for its documentation.
        python: a function of values. It stands in a module, because it is pickled.
        python_for: returns the function of values, if there are different ones for different arguments; it
            may raise a ValueError that says what is not supported.
        nulls: when the result is null.
        spark: the same in Spark's SQL, with ``{0}`` for the first argument and ``{1:}`` for all after it; one
            for each number of arguments if they differ, or a function that returns it for the arguments of a
            call. Spark's function of the same name unless given, or if empty; ``None`` if Python computes it
            there, too.
        is_converted: whether arguments that are ``T`` are converted to the type that they have in common.
        syntax: how it is written if it is not called like others, for each number of arguments.
        write: returns a call of arguments that are SQL, if the syntax has no places for them.
        literals: functions of the arguments that Python knows only as literals, by position; they may raise a
            ValueError that says what is not supported.
        is_deterministic: whether equal arguments always have equal results.
        examples: expressions with recorded results.
    """

    name: str
    takes: str
    returns: Returns
    does: str
    python: Callable[..., Any] | None = None
    nulls: Nulls = Nulls.OF_ARGUMENTS
    python_for: Callable[[Arguments], Callable[..., Any]] | None = None
    spark: Sequence[str] | Callable[[Arguments], str | None] | None = ()
    is_converted: bool = True
    syntax: Sequence[str] = ()
    write: Callable[[Sequence[str]], str] | None = None
    literals: Mapping[int, Callable[[Any], Any]] = field(default_factory=dict)
    is_deterministic: bool = True
    examples: Sequence[str] = ()
    forms: tuple[Parameters, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "forms", tuple(map(Parameters.of, self.takes.split("; "))))

    @property
    def signature(self) -> str:
        """How it is called, for messages and documentation."""
        if not self.syntax:
            return " or ".join(f"{self.name}({type_names(form)})" for form in self.takes.split("; "))
        return " or ".join(self._with_types(form) for form in self.syntax)

    def _with_types(self, syntax: str) -> str:
        count = syntax.count("{")
        if self.write is not None:
            return syntax
        form = next(form for form in self.forms if form.takes_number(count))
        return syntax.format(*[type_names("|".join(form.names_at(position))) for position in range(count)])

    def form_for(self, types: Sequence[DataType | None]) -> Parameters | None:
        """Return the first form that takes arguments of some types, ``None`` for those that are not known."""
        return next((form for form in self.forms if form.take(types)), None)

    def refusal(self, types: Sequence[DataType | None]) -> str | None:
        """Return what is wrong with a call, ``None`` if nothing is known to be.

        Args:
            types: the types of the arguments, ``None`` for those that are not known.
        """
        if self.form_for(types) is not None:
            return None
        if not any(form.takes_number(len(types)) for form in self.forms):
            return f"{self.usage}, not {len(types) or 'no'} argument{'' if len(types) == 1 else 's'}"
        form = next(form for form in self.forms if form.takes_number(len(types)))
        return f"{self.usage}; got ({form.shown(types)}){self._hint(form, types)}"

    @staticmethod
    def _hint(form: Parameters, types: Sequence[DataType | None]) -> str:
        """Return how the first wrong NULL among arguments gets a type; an empty text if there is none."""
        nulls = [
            place
            for place, one in enumerate(types)
            if one is not None and kind_of(one) == Kind.NULL and not form.takes_null(place)
        ]
        return f"; give NULL a type, as in CAST(NULL AS {form.type_for(nulls[0], types)})" if nulls else ""

    def complaint(self, arguments: Arguments) -> str | None:
        """Return what is wrong with a call whose types are known, ``None`` if nothing is."""
        refusal = self.refusal(arguments.types)
        if refusal is None and self.python_for is not None:
            try:
                self.python_for(replace(arguments, zone=arguments.zone or UTC))
            except ValueError as error:
                return f"{self.usage}: {error}"
        return refusal

    @property
    def usage(self) -> str:
        """How it is called, as a sentence."""
        if self.syntax:
            return f"{self.name} is written {self.signature}"
        return f"{self.name} takes " + " or ".join(f"({type_names(form)})" for form in self.takes.split("; "))

    def result_type(self, arguments: Arguments) -> DataType:
        """Return the type of the results of a call; NOT NULL if none of them is null."""
        declared = self.returns(arguments) if callable(self.returns) else self.returns
        if self.nulls in (Nulls.AS_DECLARED, Nulls.LAZILY):
            return declared
        is_nullable = self.nulls == Nulls.AND_OTHERS or any(
            one.is_nullable for place, one in enumerate(arguments.types) if place not in arguments.constants
        )
        return declared.nullable() if is_nullable else declared.not_null()

    def written(self, given: Sequence[str]) -> str:
        """Return a call in the syntax of the function.

        Args:
            given: the arguments as SQL, words of the syntax as they are.
        """
        return self.write(given) if self.write else self.form_of(self.syntax, len(given)).format(*given)

    def form_of(self, forms: Sequence[str], count: int) -> str:
        """Return which of some forms has places for a number of arguments; the only one has for any."""
        if len(forms) < 2:
            return "".join(forms)
        return next(form for form in forms if f"{{{count - 1}}}" in form and f"{{{count}}}" not in form)
