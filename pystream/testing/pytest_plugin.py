"""The pytest plugin of pystream: a fixture with an environment of the local host."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pystream.datastream.stream_execution_environment import StreamExecutionEnvironment

__all__ = ["local_env"]


@pytest.fixture
def local_env() -> StreamExecutionEnvironment:
    """Return a new environment whose jobs run in this process; see `local_environment`."""
    from pystream.testing.environments import local_environment

    return local_environment()
