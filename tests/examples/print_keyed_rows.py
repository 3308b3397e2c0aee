from pyflink.common.typeinfo import Types
from pyflink.datastream import StreamExecutionEnvironment

env = StreamExecutionEnvironment.get_execution_environment()
ds = env.from_collection([('ab', 1), ('abc', 2), ('abcd', 3), ('abcde', 4)],
                         type_info=Types.ROW([Types.STRING(), Types.INT()]))
ds.key_by(lambda x: x[1]).map(lambda x: (x[0], x[1] + 1)).set_parallelism(3).print()
env.execute()
