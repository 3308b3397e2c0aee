"""Where the parity test leaves its table for the end of the run."""

from __future__ import annotations

import pytest

__all__ = ["PARITY"]

PARITY = pytest.StashKey[str]()
