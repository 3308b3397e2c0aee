"""All function objects are closed, even if some fail."""

from __future__ import annotations

import pytest

from pystream.engine.failure import OperatorLabel, TaskFailure
from pystream.engine.lifecycle import Lifecycle


class Closes:
    def __init__(self, fault: str = "") -> None:
        self.fault = fault
        self.closed = False

    def close(self) -> None:
        self.closed = True
        if self.fault:
            raise ValueError(self.fault)


def test_all_functions_are_closed_and_the_first_failure_is_raised() -> None:
    functions = [Closes(), Closes("first"), Closes("second"), Closes()]
    with pytest.raises(TaskFailure, match="ValueError: first"):
        Lifecycle(OperatorLabel("Hash", "uid", "", ""), functions).close()
    assert all(function.closed for function in functions)
