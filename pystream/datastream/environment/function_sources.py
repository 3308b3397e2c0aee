"""Sources that are functions: those of programs, and the text of sockets."""

from __future__ import annotations

from typing import Any

from pystream.arguments.checks import require, require_int
from pystream.engine.connectors.function_source import FunctionSource, RunnableSource
from pystream.engine.connectors.socket_text import SocketTextStreamFunction
from pystream.errors import ConfigurationError
from pystream.io import ResultTypeQueryable
from pystream.plan.function import FunctionPicklingError, describe_function
from pystream.plan.nodes import UnknownType
from typeinfo.errors import summarize
from typeinfo.info import TypeInformation, require_type
from typeinfo.pickled import PICKLED_BYTE_ARRAY
from typeinfo.pickling import dumps

__all__ = ["function_source", "socket_text"]


def function_source(
    function: RunnableSource, type_info: TypeInformation[Any] | None
) -> tuple[FunctionSource, str]:
    """Return a function as a source, and the origin of the type of its elements.

    Args:
        function: the function.
        type_info: type of the elements; else the function's own, else they are pickled.

    Raises:
        FunctionPicklingError: it cannot be pickled.
    """
    origin = "type_info"
    if type_info is None and isinstance(function, ResultTypeQueryable):
        type_info, origin = function.get_produced_type(), "the source"
    elif type_info is None:
        type_info, origin = PICKLED_BYTE_ARRAY, UnknownType("no type_info")
    described = describe_function(function)
    try:
        payload = dumps(function)
    except Exception as error:
        raise FunctionPicklingError(
            f"add_source: {described} cannot be pickled, as restarts need: {summarize(error)}. "
            "Create what cannot be pickled (connections, locks, files) in run()"
        ) from error
    return FunctionSource(payload, described, require_type(type_info, "type_info")), origin


def socket_text(hostname: str, port: int, delimiter: str, max_retry: int) -> SocketTextStreamFunction:
    """Return a function that reads from a socket.

    Raises:
        ConfigurationError: the port or ``max_retry`` is out of bounds, or the delimiter is empty.
        PlanTypeError: the host or the delimiter is not a text.
    """
    require(hostname, str, "socket_text_stream", "the name of a host")
    if not hostname:
        raise ConfigurationError("socket_text_stream: hostname is empty; give one such as 'localhost'")
    require_int(port, "socket_text_stream: port", 0, 65_535)
    require(delimiter, str, "socket_text_stream", "a text as delimiter")
    if not delimiter:
        raise ConfigurationError("socket_text_stream: the delimiter must not be empty")
    require_int(max_retry, "socket_text_stream: max_retry", -1)
    return SocketTextStreamFunction(hostname, port, delimiter, max_retry)
