from pyflink.datastream import StreamExecutionEnvironment, MapFunction, FilterFunction

class MyMapFunction(MapFunction):
    def map(self, value):
        return value * 10
class MyFilterFunction(FilterFunction):
    def filter(self, value):
        return value > 20
env = StreamExecutionEnvironment.get_execution_environment()
with env.from_collection([1, 2, 3, 4]).map(MyMapFunction()).filter(MyFilterFunction()).execute_and_collect() as it:
    assert sorted(it) == [30, 40]
