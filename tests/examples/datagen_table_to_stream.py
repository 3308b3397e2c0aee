from pyflink.common.typeinfo import Types
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.table import StreamTableEnvironment

env = StreamExecutionEnvironment.get_execution_environment()
t_env = StreamTableEnvironment.create(stream_execution_environment=env)
t_env.execute_sql("CREATE TABLE my_source (a INT, b VARCHAR) WITH ('connector' = 'datagen', 'number-of-rows' = '10')")
ds = t_env.to_append_stream(t_env.from_path('my_source'), Types.ROW([Types.INT(), Types.STRING()]))
with ds.execute_and_collect() as it:
    rows = list(it)
assert len(rows) == 10 and all(isinstance(r[0], int) and isinstance(r[1], str) for r in rows)
