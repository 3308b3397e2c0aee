from pyflink.common.typeinfo import Types
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.table import StreamTableEnvironment

env = StreamExecutionEnvironment.get_execution_environment()
env.set_parallelism(1)
t_env = StreamTableEnvironment.create(stream_execution_environment=env)
def split(s):
    for sp in s[1].split("|"):
        yield s[0], sp
ds = env.from_collection([(1, 'aaa|bb'), (2, 'bb|a'), (3, 'aaa|a')], type_info=Types.ROW([Types.INT(), Types.STRING()]))
ds = ds.map(lambda i: (i[0] + 1, i[1])).flat_map(split, Types.TUPLE([Types.INT(), Types.STRING()])) \
       .key_by(lambda i: i[1]).reduce(lambda i, j: (i[0] + j[0], i[1]))
t_env.execute_sql("CREATE TABLE my_sink (a INT, b VARCHAR) WITH ('connector' = 'print')")
t_env.from_data_stream(ds).execute_insert("my_sink").wait()
