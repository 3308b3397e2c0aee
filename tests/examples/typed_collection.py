from pyflink.common.typeinfo import Types
from pyflink.datastream import StreamExecutionEnvironment

env = StreamExecutionEnvironment.get_execution_environment()
data = [(1, 'aaa|bb'), (2, 'bb|a'), (3, 'aaa|a')]
ds = env.from_collection(collection=data, type_info=Types.ROW([Types.INT(), Types.STRING()]))
with ds.execute_and_collect() as it:
    assert sorted((r[0], r[1]) for r in it) == data
assert str(env.from_collection(data).get_type()) == str(Types.PICKLED_BYTE_ARRAY())
