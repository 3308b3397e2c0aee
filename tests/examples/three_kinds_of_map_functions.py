from pyflink.datastream import StreamExecutionEnvironment, MapFunction

class MyMapFunction(MapFunction):
    def map(self, value):
        return value + 1
def map_func(value):
    return value + 1
env = StreamExecutionEnvironment.get_execution_environment()
for f in (MyMapFunction(), lambda x: x + 1, map_func):
    with env.from_collection([1, 2]).map(f).execute_and_collect() as it:
        assert sorted(it) == [2, 3]
