"""HDFS over HTTP."""

from typing import Any

from fsspec.spec import AbstractFileSystem

class WebHDFS(AbstractFileSystem):
    session: Any
    url: str
    def __init__(
        self,
        host: str,
        port: int = 50070,
        kerberos: bool = False,
        token: str | None = None,
        user: str | None = None,
        password: str | None = None,
        proxy_to: str | None = None,
        kerb_kwargs: Any = None,
        data_proxy: Any = None,
        use_https: bool = False,
        session_cert: Any = None,
        session_verify: Any = True,
        **kwargs: Any,
    ) -> None: ...
    def _connect(self) -> None: ...
    def _call(
        self,
        op: str,
        method: str = "get",
        path: str | None = None,
        data: Any = None,
        redirect: bool = True,
        **kwargs: Any,
    ) -> Any: ...
    @staticmethod
    def _process_info(info: dict[str, Any]) -> dict[str, Any]: ...
    @classmethod
    def _strip_protocol(cls, path: str) -> str: ...
    def mv(self, path1: str, path2: str, **kwargs: Any) -> None: ...
