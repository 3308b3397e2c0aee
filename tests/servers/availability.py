"""Skip the tests of servers that this machine cannot have, except in continuous integration."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

import pytest

from tests.servers.process import MissingProgramError

__all__ = ["server_or_skip"]

T = TypeVar("T")


def server_or_skip(make: Callable[[], T]) -> T:
    """Return a server that is not started yet.

    A program that is not installed skips the test, with its name as the reason; with the environment variable
    ``CI`` set, it is an error.

    Args:
        make: makes it; raises MissingProgramError if a program is missing.
    """
    try:
        return make()
    except MissingProgramError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))
