from pyflink.common.typeinfo import Types
from pyflink.datastream import StreamExecutionEnvironment, ReduceFunction

class MyReduceFunction(ReduceFunction):
    def reduce(self, value1, value2):
        return value1[0] + value2[0], value2[1]
env = StreamExecutionEnvironment.get_execution_environment()
env.set_parallelism(1)
row = Types.TUPLE([Types.INT(), Types.STRING()])
for f in (lambda a, b: (a[0] + b[0], b[1]), MyReduceFunction()):
    ds = env.from_collection([(1, 'a'), (2, 'a'), (3, 'a'), (4, 'b')], type_info=row)
    with ds.key_by(lambda x: x[1]).reduce(f).execute_and_collect() as it:
        assert sorted(tuple(x) for x in it) == [(1, 'a'), (3, 'a'), (4, 'b'), (6, 'a')]
