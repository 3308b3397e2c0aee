from pyflink.common.typeinfo import Types
from pyflink.datastream import StreamExecutionEnvironment

env = StreamExecutionEnvironment.get_execution_environment()
ds = env.from_collection([1, 2], type_info=Types.INT()).map(lambda v: v + 1, output_type=Types.INT())
ds = ds.set_parallelism(2).slot_sharing_group('default')
print(ds.get_parallelism())  # get_parallelism is promised by 003, absent in PyFlink 2.3
with ds.execute_and_collect() as it:
    assert sorted(it) == [2, 3]
