"""The JSON of get_execution_plan, with nodes numbered from 1 in order of appearance."""

from __future__ import annotations

import json

from pystream.common.typeinfo import Types


def _plan(env):
    plan = json.loads(env.get_execution_plan())
    order = {node["id"]: number for number, node in enumerate(plan["nodes"], 1)}
    for node in plan["nodes"]:
        node["id"] = order[node["id"]]
        for upstream in node.get("predecessors", []):
            upstream["id"] = order[upstream["id"]]
    return plan


def _numbers(env):
    return env.from_collection([1, 2, 3], type_info=Types.INT())


def map_filter_print(env):
    env.set_parallelism(2)
    _numbers(env).map(lambda v: v + 1, output_type=Types.INT()).filter(lambda v: v > 1).print()
    return _plan(env)


def map_filter_print_at_one(env):
    _numbers(env).map(lambda v: v + 1, output_type=Types.INT()).filter(lambda v: v > 1).print()
    return _plan(env)


def only_print(env):
    _numbers(env).print()
    return _plan(env)


def pickled_print(env):
    env.from_collection([1]).print()
    return _plan(env)


def named_with_uid(env):
    mapped = _numbers(env).name("numbers").map(lambda v: v, output_type=Types.INT()).name("same").uid("u")
    mapped.print().name("show")
    return _plan(env)


def described(env):
    mapped = _numbers(env).map(lambda v: v, output_type=Types.INT())
    mapped.set_description("what it does").print()
    return _plan(env)


def unchained(env):
    mapped = _numbers(env).map(lambda v: v, output_type=Types.INT()).disable_chaining()
    mapped.map(lambda v: v, output_type=Types.INT()).print()
    return _plan(env)


def union_of_two(env):
    _numbers(env).union(_numbers(env)).print()
    return _plan(env)


def two_sinks(env):
    numbers = _numbers(env)
    numbers.print()
    numbers.map(lambda v: v, output_type=Types.INT()).print()
    nodes = {node["id"]: node for node in _plan(env)["nodes"]}
    upstreams = [[nodes[u["id"]]["type"] for u in node.get("predecessors", [])] for node in nodes.values()]
    return sorted(zip((node["type"] for node in nodes.values()), upstreams, strict=True))


def _after(env, partition):
    env.set_parallelism(2)
    mapped = _numbers(env).map(lambda v: v, output_type=Types.INT())
    partition(mapped).map(lambda v: v, output_type=Types.INT()).print()
    return [upstream for node in _plan(env)["nodes"] for upstream in node.get("predecessors", [])]


CASES = {
    "rebalance": lambda stream: stream.rebalance(),
    "rescale": lambda stream: stream.rescale(),
    "shuffle": lambda stream: stream.shuffle(),
    "broadcast": lambda stream: stream.broadcast(),
    "forward": lambda stream: stream.forward(),
    "custom": lambda stream: stream.partition_custom(lambda key, count: 0, lambda value: value),
}


def ship_strategy(env, case):
    return _after(env, case)


def plan_of_nothing(env):
    return _plan(env)


def plan_without_sink(env):
    _numbers(env).map(lambda v: v)
    return _plan(env)


def plan_then_execute(env):
    _numbers(env).print()
    _plan(env)
    env.execute()
