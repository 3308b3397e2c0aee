"""The base class of file systems."""

from typing import Any

class _Cached(type):
    def __call__(cls, *args: Any, **kwargs: Any) -> Any: ...

class AbstractFileSystem(metaclass=_Cached): ...
