"""JobID: the id of a job."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass, field

from pystream.errors import ArgumentTypeError, ConfigurationError
from typeinfo.arguments import checks_arguments

__all__ = ["JobID"]


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class JobID:
    """The id of a job, 32 hexadecimal digits; ids with the same digits are equal.

    Mirrors ``org.apache.flink.api.common.JobID``.

    Args:
        digits: the digits, in lower case; drawn at random by default.

    Raises:
        ConfigurationError: they are not 32 hexadecimal digits.
    """

    digits: str = field(default_factory=lambda: uuid.uuid4().hex)

    def __post_init__(self) -> None:
        if not re.fullmatch("[0-9a-f]{32}", self.digits):
            raise ConfigurationError(f"JobID: {self.digits!r} is not allowed; it takes 32 hexadecimal digits")

    def __str__(self) -> str:
        return self.digits
