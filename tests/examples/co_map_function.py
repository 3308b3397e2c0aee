from pyflink.datastream import StreamExecutionEnvironment, CoMapFunction

class MyCoMapFunction(CoMapFunction):
    def map1(self, value):
        return value + 10
    def map2(self, value):
        return value + '!'
env = StreamExecutionEnvironment.get_execution_environment()
ds1 = env.from_collection([1, 2])
ds2 = env.from_collection(['b'])
with ds1.connect(ds2).map(MyCoMapFunction()).execute_and_collect() as it:
    assert sorted(map(str, it)) == ['11', '12', 'b!']
