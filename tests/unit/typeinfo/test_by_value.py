"""What a script defines works in another process as in its own."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pystream.datastream import StreamExecutionEnvironment
from pystream.plan.function import FunctionPicklingError
from typeinfo.pickling import dumps

SCRIPT = """
import abc, dataclasses, enum, functools, pickle, sys, typing, weakref
from typeinfo.pickling import dumps

def answer(function):
    functions.append(function)
    return function

functions = []
T, P, Ts = typing.TypeVar("T"), typing.ParamSpec("P"), typing.TypeVarTuple("Ts")
Id = typing.NewType("Id", int)

@answer
@functools.cache
def tenfold(x): return x * 10

@answer
@functools.lru_cache(maxsize=3, typed=True)
def fibonacci(n): return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

@answer
def parameters(x): return fibonacci.cache_parameters(), tenfold(x), tenfold.__name__, tenfold.__wrapped__(x)

def plus_a_thousand(function):
    @functools.wraps(function)
    def wrapper(*values): return function(*values) + 1000
    return wrapper

@answer
@plus_a_thousand
@functools.cache
def outside(x): return x

@answer
@functools.cache
@plus_a_thousand
def inside(x): return x

@answer
@functools.cache
def emptied(x): return emptied.cache_info().currsize

class Point(typing.TypedDict):
    x: int

class Labelled(Point, total=False):
    label: str

class Weighted(Labelled):
    weight: typing.Required[int]

class Generic(typing.TypedDict, typing.Generic[T]):
    value: T

class OfInt(Generic[int]):
    more: int

@answer
def typed_dicts(x):
    required = sorted(Weighted.__required_keys__)
    return Weighted(x=x, weight=1), required, Labelled.__total__, [*OfInt.__annotations__]

@functools.singledispatch
def kind(x): return "object"

@kind.register
def _(x: int): return "int"

kind.register(str, lambda x: "str")

@answer
def dispatched(x): return kind(x), kind("x"), kind(1.5), kind(True)

class Methods:
    @functools.singledispatchmethod
    def kind(self, x): return "object"
    @kind.register
    def _(self, x: int): return "int"
    def minus(self, a, b): return a - b
    one_minus = functools.partialmethod(minus, 1)
    @functools.cached_property
    def answer(self): return 42
    @functools.lru_cache
    def next(self, x): return x + 1
    @staticmethod
    @functools.cache
    def static(x): return x + 6
    @classmethod
    @functools.cache
    def name(cls, x): return cls.__name__, x

@answer
def methods(x):
    one = Methods()
    return one.kind(x), one.kind("x"), one.one_minus(5), one.answer, one.next(x), one.static(x), one.name(x)

answer(Methods().next)

@functools.total_ordering
class Version:
    def __init__(self, number): self.number = number
    def __eq__(self, other): return self.number == other.number
    def __lt__(self, other): return self.number < other.number

class Color(enum.Enum):
    RED = 1
    def twice(self): return self.value * 2

class Box(typing.Generic[T]):
    def __init__(self, value): self.value = value

class Boxed(Box[int]): pass
class Call(typing.Generic[P]): pass
class Many(typing.Generic[typing.Unpack[Ts]]): pass

class Meta(type):
    def __new__(meta, name, bases, body):
        cls = super().__new__(meta, name, bases, body)
        cls.tag = name
        return cls

class Tagged(metaclass=Meta): pass
class Child(Tagged): pass

class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...

class Square(Shape):
    def area(self): return 4

@typing.runtime_checkable
class HasArea(typing.Protocol):
    def area(self) -> int: ...

@dataclasses.dataclass(slots=True, frozen=True, order=True)
class Slotted:
    x: int
    y: list = dataclasses.field(default_factory=list)

class Named(typing.NamedTuple):
    a: int
    def next(self): return self.a + 1

class Private:
    __slots__ = ("__hidden", "shown")
    def __init__(self): self.__hidden, self.shown = 3, 4
    def total(self): return self.__hidden + self.shown

@answer
def classes(x):
    return (
        Version(x) >= Version(1), Color.RED.twice(), Boxed(Id(x)).value, Call.__name__, Many.__name__,
        Child().tag, isinstance(Square(), HasArea), Square().area(), Slotted(x) < Slotted(x + 1),
        Named(x).next(), Private().total(),
    )

class Plugin:
    registered = {}
    def __init_subclass__(cls): Plugin.registered[cls.__name__] = cls

class Doubling(Plugin):
    def run(self, x): return x * 2

@answer
def plugins(x):
    found = Plugin.registered["Doubling"]
    return found is Doubling, found().run(x), len(Plugin.registered)

assert pickle.loads(dumps(plugins))(3) == plugins(3)
assert Plugin.registered["Doubling"] is Doubling

known = weakref.WeakKeyDictionary({Color: 1})

@answer
def weak(x): return len(known), weakref.WeakValueDictionary() == {}

def make(n):
    count = [n]
    @functools.cache
    def counted(x): return (lambda: x + count[0])()
    return counted

answer(make(5))
answer(functools.cache(lambda x: x + 2))
answer(functools.partial(functools.cache(lambda a, b: a + b), 1))

UNSET = object()

class Remembering:
    def __init__(self): self.last, self.other = UNSET, object()
    def __call__(self, x): return self.last is UNSET, self.other is UNSET

answer(Remembering())
assert pickle.loads(dumps(Remembering()))(3) == (True, False)

expected = [repr(function(3)) for function in functions]
sys.stdout.buffer.write(pickle.dumps([*zip(map(dumps, functions), expected)]))
"""

LOAD = """
import pickle, sys
for function, expected in pickle.load(sys.stdin.buffer):
    loaded = pickle.loads(function)
    found = repr(loaded(3))
    assert found == expected, (loaded, found, expected)
print("done")
"""


def test_functions_and_classes_of_a_script_work_in_another_process(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    dumped = subprocess.run([sys.executable, script], stdout=subprocess.PIPE, timeout=60, check=True).stdout
    loaded = subprocess.run(
        [sys.executable, "-c", LOAD], input=dumped, stdout=subprocess.PIPE, timeout=60, check=True
    )
    assert loaded.stdout == b"done\n"


class Missing:
    """Pickled by the name of a variable."""

    def __init__(self, module: str) -> None:
        self.__module__ = module

    def __reduce__(self) -> str:
        return "MISSING"


MISSING = Missing(__name__)


def test_what_is_pickled_by_a_name_is_sent_only_if_workers_can_import_it(
    local_env: StreamExecutionEnvironment,
) -> None:
    assert pickle.loads(dumps(MISSING)) is MISSING
    of_script: Any = Missing("__main__")
    with pytest.raises(
        FunctionPicklingError, match=r"map: lambda at .*Missing is pickled as the name 'MISSING'"
    ):
        local_env.from_collection([1]).map(lambda x: x is of_script)
