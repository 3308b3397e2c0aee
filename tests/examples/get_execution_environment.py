from pyflink.datastream import StreamExecutionEnvironment

env = StreamExecutionEnvironment.get_execution_environment()
assert isinstance(env, StreamExecutionEnvironment)
