"""A progress bar on the terminal, for jobs whose sources know how much there is to read."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tqdm import tqdm

from pystream.plan.options import ProgressMode
from pystream.runtime.progress import MESSAGE

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(name: str, total: int, mode: ProgressMode) -> Iterator[tuple[str, int] | None]:
    """Show a bar while a job runs, on standard error.

    Args:
        name: what stands before the bar.
        total: how much the sources hold; 0 if unknown, which shows no bar.
        mode: when to show one.

    Yields:
        The address workers report to, or ``None`` where no bar is shown.
    """
    shown = mode is ProgressMode.ON or (mode is ProgressMode.AUTO and sys.stderr.isatty())
    if not shown or total == 0:
        yield None
        return
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as inbox,
        tqdm(total=total, desc=name, unit="", unit_scale=True, file=sys.stderr) as bar,
    ):
        inbox.bind(("127.0.0.1", 0))
        address: tuple[str, int] = inbox.getsockname()
        listener = threading.Thread(target=_listen, args=(inbox, bar, total), daemon=True)
        listener.start()
        try:
            yield address
        finally:
            inbox.sendto(b"", address)
            listener.join()


def _listen(inbox: socket.socket, bar: tqdm[None], total: int) -> None:
    while message := inbox.recv(MESSAGE.size):
        (read,) = MESSAGE.unpack(message)
        bar.update(min(read, total - bar.n))
