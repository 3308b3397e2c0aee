from pyflink.datastream import StreamExecutionEnvironment, FlatMapFunction

class MyFlatMapFunction(FlatMapFunction):
    def flat_map(self, value):
        for i in range(value):
            yield i
env = StreamExecutionEnvironment.get_execution_environment()
with env.from_collection([0, 1, 3]).flat_map(MyFlatMapFunction()).execute_and_collect() as it:
    assert sorted(it) == [0, 0, 1, 2]
