from pyflink.common import WatermarkStrategy
from pyflink.common.typeinfo import Types
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.datastream.connectors import NumberSequenceSource

env = StreamExecutionEnvironment.get_execution_environment()
ds = env.from_source(source=NumberSequenceSource(1, 1000),
                     watermark_strategy=WatermarkStrategy.for_monotonous_timestamps(),
                     source_name='seq_num_source', type_info=Types.LONG())
with ds.execute_and_collect() as it:
    assert sorted(it) == list(range(1, 1001))
