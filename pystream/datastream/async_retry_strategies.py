"""Retry strategies of asynchronous calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.datastream.functions.asynchronous import (
    NO_RETRY_STRATEGY,
    ExponentialBackoffDelayRetryStrategy,
    FixedDelayRetryStrategy,
    NoRetryStrategy,
    RetryPredicate,
)
from pystream.lazy import re_exports

if TYPE_CHECKING:
    from pystream.common.type_variables import OUT as OUT
    from pystream.datastream.functions import AsyncRetryPredicate as AsyncRetryPredicate
    from pystream.datastream.functions import AsyncRetryStrategy as AsyncRetryStrategy
else:
    __getattr__ = re_exports(__name__)


__all__ = [
    "NO_RETRY_STRATEGY",
    "ExponentialBackoffDelayRetryStrategy",
    "FixedDelayRetryStrategy",
    "NoRetryStrategy",
    "RetryPredicate",
]
