"""The inputs of bounded jobs."""

from __future__ import annotations

import pytest

from pystream.engine.connectors.number_sequence import NumberSequence
from pystream.errors import UnsupportedOperationError
from pystream.hosts.inputs import SourceInput


def test_a_bounded_job_refuses_an_unbounded_source() -> None:
    with pytest.raises(UnsupportedOperationError, match=r"cannot read NumberSequence\(.* is unbounded"):
        SourceInput.of(NumberSequence(0, 1, is_bounded=False), 1)
