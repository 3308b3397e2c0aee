"""The life cycle of functions: open, close and RuntimeContext."""

from __future__ import annotations

from pystream.common.typeinfo import Types
from pystream.datastream import FilterFunction, FlatMapFunction, MapFunction, ProcessFunction
from pystream.datastream.functions import RuntimeContext


class _Describe(MapFunction):
    def open(self, runtime_context: RuntimeContext):
        self.seen = (
            runtime_context.get_task_name(),
            runtime_context.get_task_name_with_subtasks(),
            runtime_context.get_index_of_this_subtask(),
            runtime_context.get_number_of_parallel_subtasks(),
            runtime_context.get_max_number_of_parallel_subtasks(),
            runtime_context.get_attempt_number(),
        )

    def map(self, value):
        return self.seen


class _TaskName(MapFunction):
    def open(self, runtime_context):
        self.name = runtime_context.get_task_name()

    def map(self, value):
        return self.name


class _Parameter(MapFunction):
    def __init__(self, key, default):
        self.key = key
        self.default = default

    def open(self, runtime_context):
        self.parameter = runtime_context.get_job_parameter(self.key, self.default)

    def map(self, value):
        return (type(self.parameter).__name__, self.parameter)


class _Journal:
    """Writes each call of open and close to a file that the program reads afterwards."""

    def __init__(self, path, name):
        self.path = str(path)
        self.name = name

    def _note(self, what):
        with open(self.path, "a") as journal:
            journal.write(f"{what} {self.name}\n")

    def open(self, runtime_context):
        self._note("open")

    def close(self):
        self._note("close")


class _JournalMap(_Journal, MapFunction):
    def map(self, value):
        self._note(f"element {value} in")
        return value


class _JournalFlatMap(_Journal, FlatMapFunction):
    def flat_map(self, value):
        return [value]


class _JournalFilter(_Journal, FilterFunction):
    def filter(self, value):
        return True


class _JournalProcess(_Journal, ProcessFunction):
    def process_element(self, value, ctx):
        yield value


class _FailingOpen(MapFunction):
    def open(self, runtime_context):
        raise ValueError("cannot open")

    def map(self, value):
        return value


class _FailingClose(MapFunction):
    def close(self):
        raise ValueError("cannot close")

    def map(self, value):
        return value


class _FailingMap(_Journal, MapFunction):
    def map(self, value):
        raise ValueError("cannot map")


class _Counting(MapFunction):
    def __init__(self):
        self.count = 0

    def map(self, value):
        self.count += 1
        return self.count


def _elements(env, *values):
    return env.from_collection(list(values), type_info=Types.INT())


def _journal(tmp):
    return (tmp / "journal").read_text().splitlines()


def _drain(stream):
    with stream.execute_and_collect() as elements:
        return list(elements)


def described(env):
    return _elements(env, 1).map(_Describe()).disable_chaining()


def described_named(env):
    return _elements(env, 1).map(_Describe()).name("My map").disable_chaining()


def described_in_a_chain(env):
    _elements(env, 1).name("numbers").map(_TaskName(), output_type=Types.STRING()).print()
    env.execute()


def described_in_a_merged_chain(env):
    first = _elements(env, 1).map(lambda value: value, output_type=Types.INT()).name("first")
    first.map(_TaskName(), output_type=Types.STRING()).name("second").print()
    env.execute()


def described_by_two(env):
    env.set_parallelism(2)
    return _elements(env, 1).broadcast().map(_Describe()).disable_chaining()


def described_by_two_named(env):
    env.set_parallelism(2)
    return _elements(env, 1).broadcast().map(_Describe()).name("describe").disable_chaining()


def described_with_max_parallelism(env):
    env.set_max_parallelism(7)
    return [seen[4] for seen in _drain(_elements(env, 1).map(_Describe()).disable_chaining())]


def described_chained_to_a_collection(env):
    env.set_max_parallelism(7)
    return [seen[4] for seen in _drain(_elements(env, 1).map(_Describe()))]


def described_with_own_max_parallelism(env):
    described = _elements(env, 1).map(_Describe()).disable_chaining().set_max_parallelism(9)
    return [seen[4] for seen in _drain(described)]


def described_max_parallelism_by_two(env):
    env.set_parallelism(2)
    return sorted(seen[4] for seen in _drain(_elements(env, 1).broadcast().map(_Describe())))


def parameter_given(env):
    env.get_config().set_global_job_parameters({"k": "v", "n": "1"})
    return _elements(env, 1).map(_Parameter("k", "other"))


def parameter_missing(env):
    return _elements(env, 1).map(_Parameter("k", "other"))


def parameter_default_none(env):
    return _elements(env, 1).map(_Parameter("k", None))


def parameter_number(env):
    env.get_config().set_global_job_parameters({"n": 1})
    return _elements(env, 1).map(_Parameter("n", "other"))


def parameters_read_back(env):
    env.get_config().set_global_job_parameters({"k": "v"})
    return env.get_config().get_global_job_parameters()


def journal_of_a_map(env, tmp):
    return [_drain(_elements(env, 1, 2).map(_JournalMap(tmp / "journal", "map"))), _journal(tmp)]


def journal_of_nothing(env, tmp):
    return [_drain(env.from_collection([]).map(_JournalMap(tmp / "journal", "map"))), _journal(tmp)]


def journal_of_a_flat_map(env, tmp):
    return [_drain(_elements(env, 1).flat_map(_JournalFlatMap(tmp / "journal", "flat_map"))), _journal(tmp)]


def journal_of_a_filter(env, tmp):
    return [_drain(_elements(env, 1).filter(_JournalFilter(tmp / "journal", "filter"))), _journal(tmp)]


def journal_of_a_process(env, tmp):
    return [_drain(_elements(env, 1).process(_JournalProcess(tmp / "journal", "process"))), _journal(tmp)]


def journal_of_a_chain(env, tmp):
    chain = _elements(env, 1).map(_JournalMap(tmp / "journal", "first"))
    return [_drain(chain.map(_JournalMap(tmp / "journal", "second"))), _journal(tmp)]


def journal_by_two(env, tmp):
    env.set_parallelism(2)
    mapped = _elements(env, 1, 2).broadcast().map(_JournalMap(tmp / "journal", "map"))
    return [sorted(_drain(mapped)), sorted(_journal(tmp))]


def journal_after_failure(env, tmp):
    try:
        _drain(_elements(env, 1).map(_FailingMap(tmp / "journal", "map")))
    except Exception:  # noqa: BLE001
        return _journal(tmp)


def open_fails(env):
    return _elements(env, 1).map(_FailingOpen())


def close_fails(env):
    return _elements(env, 1).map(_FailingClose())


def function_keeps_its_attributes(env):
    return _elements(env, 1, 2, 3).map(_Counting())


def function_object_on_the_client_is_untouched(env):
    counting = _Counting()
    _drain(_elements(env, 1, 2, 3).map(counting))
    return counting.count


def function_used_twice(env):
    counting = _Counting()
    return _elements(env, 1, 2).map(counting).map(counting)
