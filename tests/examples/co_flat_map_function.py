from pyflink.datastream import StreamExecutionEnvironment, CoFlatMapFunction

class MyCoFlatMapFunction(CoFlatMapFunction):
    def flat_map1(self, value):
        for i in range(value):
            yield i
    def flat_map2(self, value):
        for i in range(value):
            yield i
env = StreamExecutionEnvironment.get_execution_environment()
ds1, ds2 = env.from_collection([1, 2]), env.from_collection([3])
with ds1.connect(ds2).flat_map(MyCoFlatMapFunction()).execute_and_collect() as it:
    assert sorted(it) == [0, 0, 0, 1, 1, 2]
