"""Building and executing: names, ids, parallelism, chaining, execute and its errors."""

from __future__ import annotations

import concurrent.futures

from pystream.common.typeinfo import Types
from pystream.datastream import ProcessFunction, SlotSharingGroup, StreamExecutionEnvironment


class _Passing(ProcessFunction):
    def process_element(self, value, ctx):
        yield value


class _WithParallelism(ProcessFunction):
    """Appends the parallelism of the operator to a number, as its last digit."""

    def open(self, runtime_context):
        self.parallelism = runtime_context.get_number_of_parallel_subtasks()

    def process_element(self, value, ctx):
        yield value * 10 + self.parallelism


def _one(env):
    return env.from_collection([1], type_info=Types.INT())


def _plus(stream):
    return stream.map(lambda value: value + 1, output_type=Types.INT())


# names


def default_names(env):
    source = _one(env)
    return {
        "source": source.get_name(),
        "map": _plus(source).get_name(),
        "flat_map": source.flat_map(lambda value: [value]).get_name(),
        "filter": source.filter(bool).get_name(),
    }


def process_name(env):
    return _one(env).process(_Passing()).get_name()


def project_name(env):
    return env.from_collection([(1,)], type_info=Types.TUPLE([Types.INT()])).project(0).get_name()


def name_is_set(env):
    return _plus(_one(env)).name("add one").get_name()


def name_returns_the_stream(env):
    stream = _plus(_one(env))
    return stream.name("add one") is stream


def name_empty(env):
    return _plus(_one(env)).name("").get_name()


def name_none(env):
    return _plus(_one(env)).name(None).get_name()


def name_number(env):
    return _plus(_one(env)).name(3).get_name()


def setters_return_the_stream(env):
    stream = _plus(_one(env))
    return [
        stream.uid("a") is stream,
        stream.set_parallelism(1) is stream,
        stream.set_max_parallelism(4) is stream,
        stream.disable_chaining() is stream,
        stream.start_new_chain() is stream,
        stream.slot_sharing_group("default") is stream,
        stream.set_buffer_timeout(5) is stream,
        stream.set_description("words") is stream,
        stream.force_non_parallel() is stream,
    ]


def sink_setters_return_the_sink(env):
    sink = _one(env).print()
    return [
        sink.name("s") is sink,
        sink.uid("b") is sink,
        sink.set_parallelism(1) is sink,
        sink.disable_chaining() is sink,
        sink.slot_sharing_group("default") is sink,
        sink.set_description("words") is sink,
    ]


# unchanged by chaining


def chaining_disabled(env):
    return _plus(_plus(_one(env)).disable_chaining())


def chaining_started_anew(env):
    return _plus(_plus(_one(env)).start_new_chain())


def chaining_disabled_everywhere(env):
    env.disable_operator_chaining()
    return _plus(_plus(_one(env)))


def is_chaining_enabled(env):
    before = env.is_chaining_enabled()
    env.disable_operator_chaining()
    return [before, env.is_chaining_enabled()]


def slot_sharing_group_by_name(env):
    return _plus(_one(env)).slot_sharing_group("default")


def slot_sharing_group_object(env):
    group = SlotSharingGroup.builder("other").set_cpu_cores(0.1).set_task_heap_memory_mb(1).build()
    _plus(_one(env)).slot_sharing_group(group)
    return group.get_name()


# parallelism


def parallelism_read_back(env):
    env.set_parallelism(3)
    return [env.get_parallelism(), env.set_parallelism(1) is env]


def parallelism_zero(env):
    env.set_parallelism(0)


def parallelism_negative(env):
    env.set_parallelism(-3)


def parallelism_default_marker(env):
    env.set_parallelism(-1)
    marker = env.get_parallelism()
    env.set_parallelism(1)
    return marker


def parallelism_text(env):
    env.set_parallelism("2")


def parallelism_fraction(env):
    env.set_parallelism(1.5)


def parallelism_changed_later(env):
    env.set_parallelism(3)
    stream = _one(env).process(_WithParallelism(), output_type=Types.INT())
    env.set_parallelism(2)
    stream = stream.process(_WithParallelism(), output_type=Types.INT())
    env.set_parallelism(1)
    return list(stream.execute_and_collect(limit=5))


def operator_parallelism_zero(env):
    _plus(_one(env)).set_parallelism(0)


def operator_parallelism_two(env):
    return sorted(_plus(_one(env)).set_parallelism(2).execute_and_collect(limit=5))


def source_parallelism(env):
    return _one(env).set_parallelism(2)


def source_parallelism_one(env):
    return _one(env).set_parallelism(1)


def force_non_parallel_then_two(env):
    return _plus(_one(env)).force_non_parallel().set_parallelism(2)


def force_non_parallel_then_one(env):
    return _plus(_one(env)).force_non_parallel().set_parallelism(1)


def force_non_parallel_after_two(env):
    env.set_parallelism(2)
    return _plus(_one(env)).force_non_parallel()


def force_non_parallel_then_max(env):
    return _plus(_one(env)).force_non_parallel().set_max_parallelism(2)


def max_parallelism_default(env):
    return env.get_max_parallelism()


def max_parallelism_read_back(env):
    return env.set_max_parallelism(32768).get_max_parallelism()


def max_parallelism_zero(env):
    env.set_max_parallelism(0)


def max_parallelism_beyond(env):
    env.set_max_parallelism(32769)


def operator_max_parallelism_zero(env):
    _plus(_one(env)).set_max_parallelism(0)


def parallelism_above_max(env):
    return _plus(_one(env)).set_max_parallelism(2).set_parallelism(3)


def parallelism_above_the_environments_max(env):
    env.set_max_parallelism(2)
    return _plus(_one(env)).set_parallelism(3)


# ids


def uid_duplicate(env):
    return _plus(_plus(_one(env)).uid("same")).uid("same")


def uid_duplicate_unchained(env):
    stream = _plus(_one(env)).disable_chaining().uid("same")
    return _plus(stream).disable_chaining().uid("same")


def uid_duplicate_executed(env):
    _plus(_one(env)).disable_chaining().uid("same").print().uid("same")
    env.execute()


def uid_different(env):
    return _plus(_plus(_one(env)).uid("one")).uid("two")


def uid_empty(env):
    return _plus(_one(env)).uid("")


def uid_hash_malformed(env):
    return _plus(_one(env)).set_uid_hash("xyz")


def uid_hash_well_formed(env):
    return _plus(_one(env)).disable_chaining().set_uid_hash("0123456789abcdef0123456789abcdef")


def uid_hash_duplicate(env):
    stream = _plus(_one(env)).disable_chaining().set_uid_hash("0123456789abcdef0123456789abcdef")
    return _plus(stream).disable_chaining().set_uid_hash("0123456789abcdef0123456789abcdef")


# buffer timeout


def buffer_timeout_default(env):
    return env.get_buffer_timeout()


def buffer_timeout_read_back(env):
    return env.set_buffer_timeout(7).get_buffer_timeout()


def buffer_timeout_below(env):
    env.set_buffer_timeout(-2)


def operator_buffer_timeout_below(env):
    _plus(_one(env)).set_buffer_timeout(-2)


# execute


def execute_nothing(env):
    env.execute()


def execute_without_sink(env):
    _plus(_one(env))
    env.execute()


def execute_result(env):
    _one(env).print()
    result = env.execute("a job")
    return [
        type(result).__name__,
        result.get_net_runtime() >= 0,
        result.get_all_accumulator_results(),
        len(str(result.get_job_id())),
    ]


def execute_twice(env):
    _one(env).print()
    env.execute()
    env.execute()


def execute_two_jobs(env):
    _one(env).print()
    env.execute()
    _plus(_one(env)).print()
    env.execute()


def execute_two_jobs_of_one_source(env):
    source = _one(env)
    source.print()
    env.execute()
    _plus(source).print()
    env.execute()


def execute_after_collect(env):
    with _one(env).execute_and_collect() as elements:
        seen = list(elements)
    _plus(_one(env)).print()
    env.execute()
    return seen


def execute_after_failure(env):
    try:
        _one(env).map(lambda value: value // 0).print()
        env.execute()
    except Exception:  # noqa: BLE001
        return _one(env)


def execute_async_status(env):
    _one(env).print()
    client = env.execute_async("a job")
    result = client.get_job_execution_result().result()
    return [type(client).__name__, type(result).__name__, len(str(client.get_job_id()))]


def execute_async_failure(env):
    _one(env).map(lambda value: value // 0).print()
    env.execute_async().get_job_execution_result().result()


def execute_async_nothing(env):
    env.execute_async()


def execute_two_sinks(env):
    source = _one(env)
    source.print("a")
    _plus(source).print("b")
    env.execute()


def function_that_cannot_be_pickled(env):
    pool = concurrent.futures.ThreadPoolExecutor(1)
    _one(env).map(lambda value: pool)


def function_with_a_lambda_inside(env):
    inner = lambda value: value + 1  # noqa: E731
    return _one(env).map(lambda value: inner(value))


def environment_of_a_stream(env):
    other = _one(env).get_execution_environment()
    return [type(other).__name__, other.get_parallelism()]


def new_environments_are_independent(env):
    StreamExecutionEnvironment.get_execution_environment().set_parallelism(7)
    return env.get_parallelism()


def environment_class(env):
    return isinstance(StreamExecutionEnvironment.get_execution_environment(), StreamExecutionEnvironment)


# streams are values


def one_stream_feeds_two(env):
    source = _one(env)
    return sorted(_plus(source).union(_plus(_plus(source))).execute_and_collect(limit=5))


def configuring_the_result_changes_the_operator(env):
    stream = _plus(_one(env))
    stream.name("named later")
    return stream.get_name()
