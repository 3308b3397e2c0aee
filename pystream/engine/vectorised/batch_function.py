"""A user function that is called once a batch, and the form in which it takes the batch."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from typeinfo.errors import PyStreamError
from typeinfo.info import TypeInformation

__all__ = ["Form", "VectorFunction", "VectorisedError"]


class VectorisedError(PyStreamError, ValueError):
    """Report results of a function called once a batch that do not go with the batch."""


class Form(Enum):
    """Class of the objects that represent a batch; the value is its name in user code."""

    SERIES = "pd.Series"
    FRAME = "pd.DataFrame"
    ARRAY = "pa.Array"
    BATCH = "pa.RecordBatch"

    @property
    def tabular(self) -> bool:
        """Whether it has a column for each field of an element."""
        return self in (Form.FRAME, Form.BATCH)


@dataclass(frozen=True, slots=True)
class VectorFunction:
    """A function called once a batch; it travels pickled where others travel as they are.

    Attributes:
        function: the user's function or function object.
        form: the form of its argument.
        element_type: type of the elements.
    """

    function: Any
    form: Form
    element_type: TypeInformation[Any]
