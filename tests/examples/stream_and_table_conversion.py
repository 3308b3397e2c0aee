from pyflink.common.typeinfo import Types
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.table import StreamTableEnvironment

env = StreamExecutionEnvironment.get_execution_environment()
t_env = StreamTableEnvironment.create(stream_execution_environment=env)
row = Types.ROW([Types.INT(), Types.STRING(), Types.STRING()])
table = t_env.from_data_stream(env.from_collection([(1, 'x', 'u'), (2, 'y', 'v')], type_info=row)).alias('a', 'b', 'c')
with t_env.to_append_stream(table, row).execute_and_collect() as it:
    print(list(it))
with t_env.to_retract_stream(table, row).execute_and_collect() as it:
    print(list(it))
