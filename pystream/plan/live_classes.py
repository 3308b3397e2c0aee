"""The classes of the program itself, which loading a pickled function would change."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from cloudpickle import cloudpickle

__all__ = ["live_classes_restored"]

_restoring = threading.RLock()


def _unlock() -> None:
    global _restoring
    _restoring = threading.RLock()


os.register_at_fork(after_in_child=_unlock)  # a thread that is not in the child may have held it


@contextmanager
def live_classes_restored() -> Iterator[None]:
    """Undo at the end the changes that loading pickled functions makes to classes of the program.

    cloudpickle resets a class that it sent by value, if it still exists, to the attributes it was sent with.
    Meanwhile a function that was loaded finds its classes as they were when it was pickled.
    """
    with _restoring:
        with cloudpickle._DYNAMIC_CLASS_TRACKER_LOCK:
            sent = [*cloudpickle._DYNAMIC_CLASS_TRACKER_BY_ID.values()]  # type variables, too
        before = {cls: dict(vars(cls)) for cls in sent if isinstance(cls, type)}
        try:
            yield
        finally:
            for cls, attributes in before.items():
                _restore(cls, attributes)


def _restore(cls: type, attributes: dict[str, object]) -> None:
    now = dict(vars(cls))
    # A metaclass may refuse to set attributes, as that of an Enum does, or do more than that.
    for name in now.keys() - attributes.keys():
        type.__delattr__(cls, name)
    for name, value in attributes.items():
        if name not in now or now[name] is not value:
            type.__setattr__(cls, name, value)
