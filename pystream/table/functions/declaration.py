"""SqlFunction: the declaration of a function of SQL."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, TypeAlias

from pystream.sql_types.data_types import DataType
from pystream.table.functions.parameters import Parameters, type_names

__all__ = ["Nulls", "SqlFunction"]

Returns: TypeAlias = DataType | Callable[[Sequence[DataType]], DataType]


class Nulls(Enum):
    """When the result of a function is null.

    Attributes:
        OF_ARGUMENTS: if an argument is null, and only then.
        AND_OTHERS: if an argument is null, and for some other values.
        AS_DECLARED: as the function of values says, which gets the nulls; its type may be declared NOT NULL.
    """

    OF_ARGUMENTS = auto()
    AND_OTHERS = auto()
    AS_DECLARED = auto()


@dataclass(frozen=True, slots=True)
class SqlFunction:
    """A function of SQL, from which its checks, its type, its results and its documentation follow.

    Attributes:
        name: its name.
        takes: its parameters, as `Parameters.of` reads them.
        returns: the type of its results, or a function of the types of the arguments.
        does: one sentence for its documentation.
        python: a function of values; ``None`` if only Spark computes it. It stands in a module, because it is
            pickled.
        nulls: when the result is null.
        spark: the same in Spark's SQL, with ``{0}`` for the first argument and ``{1:}`` for all after it; one
            for each number of arguments if they differ. Spark's function of the same name unless given.
        syntax: how it is written if it is not called like others, for each number of arguments.
        literals: functions of the arguments that Python knows only as literals, by position; they may raise a
            ValueError that says what is not supported.
        examples: expressions with recorded results.
    """

    name: str
    takes: str
    returns: Returns
    does: str
    python: Callable[..., Any] | None = None
    nulls: Nulls = Nulls.OF_ARGUMENTS
    spark: Sequence[str] = ()
    syntax: Sequence[str] = ()
    literals: Mapping[int, Callable[[Any], Any]] = field(default_factory=dict)
    examples: Sequence[str] = ()
    parameters: Parameters = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", Parameters.of(self.takes))

    @property
    def signature(self) -> str:
        """How it is called, for messages and documentation."""
        kinds = [type_names("|".join(names)) for names in self.parameters.names]
        written = " or ".join(form.format(*kinds) for form in self.syntax)
        return written or f"{self.name}({type_names(self.takes)})"

    def refusal(self, types: Sequence[DataType | None]) -> str | None:
        """Return what is wrong with a call, ``None`` if nothing is known to be.

        Args:
            types: the types of the arguments, ``None`` for those that are not known.
        """
        if self.parameters.take(types):
            return None
        if not self.parameters.takes_number(len(types)):
            return f"{self.usage}, not {len(types) or 'no'} argument{'' if len(types) == 1 else 's'}"
        given = ", ".join("?" if one is None else str(one.nullable()) for one in types)
        hint = "; give NULL a type, as in CAST(NULL AS STRING)" if "NULL" in given.split(", ") else ""
        return f"{self.usage}; got ({given}){hint}"

    @property
    def usage(self) -> str:
        """How it is called, as a sentence."""
        if self.syntax:
            return f"{self.name} is written {self.signature}"
        return f"{self.name} takes ({type_names(self.takes)})"

    def result_type(self, types: Sequence[DataType]) -> DataType:
        """Return the type of the results for arguments of some types; NOT NULL if no result is null."""
        declared = self.returns(types) if callable(self.returns) else self.returns
        if self.nulls == Nulls.AS_DECLARED:
            return declared
        is_nullable = self.nulls == Nulls.AND_OTHERS or any(one.is_nullable for one in types)
        return declared.nullable() if is_nullable else declared.not_null()

    def form_of(self, forms: Sequence[str], count: int) -> str:
        """Return which of some forms has places for a number of arguments; the only one has for any."""
        if len(forms) < 2:
            return "".join(forms)
        return next(form for form in forms if f"{{{count - 1}}}" in form and f"{{{count}}}" not in form)
