from pyflink.common import Row
from pyflink.common.typeinfo import Types
from pyflink.datastream import StreamExecutionEnvironment

try:
    Types.PRIMITIVE_ARRAY(Types.STRING())
    raise SystemExit('no error')
except TypeError as e:
    print(e)
named = Types.ROW_NAMED(['f1', 'f2'], [Types.STRING(), Types.INT()])
env = StreamExecutionEnvironment.get_execution_environment()
ds = env.from_collection([1]).map(lambda v: Row('a', v), output_type=Types.ROW([Types.STRING(), Types.INT()]))
with ds.execute_and_collect() as it:
    r = list(it)[0]
assert (r[0], r[1]) == ('a', 1)
