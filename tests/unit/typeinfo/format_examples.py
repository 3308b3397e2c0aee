"""Types that every format maps there and back without knowing a class."""

from __future__ import annotations

from typing import Any

from typeinfo import TypeInformation, Types
from typeinfo.extended import OptionalTypeInfo

__all__ = ["WITHOUT_CLASSES", "nested"]


def nested(depth: int) -> TypeInformation[Any]:
    t: TypeInformation[Any] = Types.LONG
    for level in range(depth):
        t = (
            Types.ROW_NAMED(["x"], [t]),
            Types.LIST(t),
            Types.MAP(Types.STRING, t),
            Types.TUPLE([t, t]),
        )[level % 4]
    return t


WITHOUT_CLASSES: list[TypeInformation[Any]] = [
    *(t for t in vars(Types).values() if isinstance(t, TypeInformation)),
    Types.ROW([]),
    Types.TUPLE([]),
    Types.ROW_NAMED([], []),
    Types.ROW([Types.INT, Types.ROW([])]),
    Types.ROW_NAMED(["f0", "f1"], [Types.INT, Types.STRING]),
    Types.TUPLE([Types.INT, Types.STRING]),
    Types.ROW([Types.INT, Types.STRING]),
    Types.ROW_NAMED(["größe", "名前", "a.b", "with space", '"'], [Types.INT] * 5),
    Types.TUPLE([Types.LONG] * 60),
    Types.ROW_NAMED(["value"], [Types.STRING]),
    Types.PRIMITIVE_ARRAY(Types.BYTE),
    Types.PRIMITIVE_ARRAY(Types.INT),
    Types.BASIC_ARRAY(Types.STRING),
    Types.OBJECT_ARRAY(Types.ROW([Types.INT])),
    Types.LIST(Types.LIST(Types.PICKLED_BYTE_ARRAY)),
    Types.MAP(Types.STRING, Types.MAP(Types.INT, Types.BOOLEAN)),
    OptionalTypeInfo(Types.INT),
    OptionalTypeInfo(Types.TUPLE([OptionalTypeInfo(Types.INT)])),
    nested(6),
]
