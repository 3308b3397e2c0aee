"""HDFS over HTTP: the file system of ``webhdfs:`` and ``swebhdfs:`` URIs, through fsspec."""

from __future__ import annotations

import getpass
import os
from functools import partial
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

from fsspec.implementations.webhdfs import WebHDFS
from pyarrow.fs import FileSystem, FSSpecHandler, PyFileSystem

from pystream.errors import ConnectorError

__all__ = ["rpc_location", "web_hdfs"]

_PORTS = {"webhdfs": 9870, "swebhdfs": 9871}
_ADDRESS = "fs.defaultFS"
_TIMEOUT = 120  # seconds without an answer


class _RenamingHDFS(WebHDFS):
    """HDFS with renames that replace files, and with the times of modifications; errors are ``OSError``."""

    def _connect(self) -> None:
        super()._connect()
        self.session.request = partial(self.session.request, timeout=_TIMEOUT)

    def _call(
        self,
        op: str,
        method: str = "get",
        path: str | None = None,
        data: Any = None,
        redirect: bool = True,
        **kwargs: Any,
    ) -> Any:
        try:
            return super()._call(op, method, path, data, redirect, **kwargs)
        except (RuntimeError, ValueError) as error:
            raise OSError(f"{op} {path}: {error}") from error

    @staticmethod
    def _process_info(info: dict[str, Any]) -> dict[str, Any]:
        info["mtime"] = info["modificationTime"] / 1000
        return WebHDFS._process_info(info)

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return path.rstrip("/") or "/"

    def mv(self, path1: str, path2: str, **kwargs: Any) -> None:
        # Without the option, a rename that is not possible is no error.
        self._call("RENAME", "put", path1, destination=path2, renameoptions="OVERWRITE")


def web_hdfs(location: str) -> tuple[FileSystem, str]:
    """Return the file system of a URI such as ``webhdfs://namenode:9870/path``, and the path in it.

    Files belong to the user of the URI, of the variable ``HADOOP_USER_NAME``, or of this process.

    Raises:
        ValueError: it is not a URI with a host.
    """
    filesystem, path = _opened(location)
    return PyFileSystem(FSSpecHandler(filesystem)), path


def rpc_location(location: str) -> str:
    """Return the same location as an ``hdfs:`` URI, whose address the NameNode gives.

    Raises:
        ConnectorError: it does not, or cannot be reached.
    """
    filesystem, path = _opened(location)
    try:
        answer = filesystem.session.get(
            filesystem.url.replace("/webhdfs/v1", "/conf"), params={"name": _ADDRESS}
        )
        answer.raise_for_status()
        settings = ElementTree.fromstring(answer.text).iter("property")
        address = next(each.findtext("value") for each in settings if each.findtext("name") == _ADDRESS)
    except (OSError, ElementTree.ParseError, StopIteration) as error:
        raise ConnectorError(
            f"Spark needs the hdfs: address of {location}, but the NameNode does not give it: {error}"
        ) from error
    return f"{address}{path}"


def _opened(location: str) -> tuple[_RenamingHDFS, str]:
    parts = urlsplit(location)
    if not parts.hostname:
        raise ValueError(f"it names no host; write {parts.scheme}://namenode:{_PORTS[parts.scheme]}/path")
    user = parts.username or os.environ.get("HADOOP_USER_NAME") or getpass.getuser()
    filesystem = _RenamingHDFS(
        parts.hostname,
        parts.port or _PORTS[parts.scheme],
        user=unquote(user),
        use_https=parts.scheme == "swebhdfs",
    )
    path = location.split("//", 1)[1].partition("/")[2]
    return filesystem, f"/{path}"
