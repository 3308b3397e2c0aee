"""The base class of file systems."""

from typing import Any

class _Cached(type):
    def __init__(cls, *args: Any, **kwargs: Any) -> None: ...
    def __call__(cls, *args: Any, **kwargs: Any) -> Any: ...

class AbstractFileSystem(metaclass=_Cached):
    def __init__(self, *args: Any, **storage_options: Any) -> None: ...
