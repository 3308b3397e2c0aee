"""VectorFunction: a user's batch function with the format of its batches."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from typeinfo.errors import PyStreamError
from typeinfo.info import TypeInformation

__all__ = ["Form", "VectorFunction", "VectorisedError"]


class VectorisedError(PyStreamError, ValueError):
    """The results of a batch function do not match its input batch."""


class Form(Enum):
    """The class of the objects that represent a batch; the value is its name in user code."""

    SERIES = "pd.Series"
    FRAME = "pd.DataFrame"
    ARRAY = "pa.Array"
    BATCH = "pa.RecordBatch"

    @property
    def tabular(self) -> bool:
        """Whether the format has a column for each field of an element."""
        return self in (Form.FRAME, Form.BATCH)


@dataclass(frozen=True, slots=True)
class VectorFunction:
    """The wrapper of a batch function, pickled as the user function of an operator.

    A batch function is a user's function that is called once per batch of elements.

    Attributes:
        function: the batch function, or the function object whose method it is.
        form: the format of its batches.
        element_type: type of the elements.
    """

    function: Any
    form: Form
    element_type: TypeInformation[Any]
