from pyflink.common.typeinfo import Types
from pyflink.datastream import StreamExecutionEnvironment

env = StreamExecutionEnvironment.get_execution_environment()
ds = env.from_collection([1, 2, 3], type_info=Types.INT()).map(lambda a: a + 1, output_type=Types.INT())
with ds.execute_and_collect() as results:
    for result in results:
        print(result)
