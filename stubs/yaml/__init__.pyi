from typing import Any

class YAMLError(Exception): ...

class Mark:
    line: int
    column: int

class Node:
    value: Any
    start_mark: Mark

class ScalarNode(Node):
    value: str

class SequenceNode(Node):
    value: list[Node]

class MappingNode(Node):
    value: list[tuple[Node, Node]]

class BaseLoader: ...

def load(stream: str, Loader: type[BaseLoader]) -> Any: ...  # noqa: N803
def compose(stream: str, Loader: type[BaseLoader]) -> Node | None: ...  # noqa: N803
def safe_dump(
    data: Any,
    *,
    default_flow_style: bool = ...,
    width: float = ...,
    allow_unicode: bool = ...,
    sort_keys: bool = ...,
) -> str: ...
