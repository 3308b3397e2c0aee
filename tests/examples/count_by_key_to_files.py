from pyflink.common import Row, WatermarkStrategy
from pyflink.common.serialization import Encoder
from pyflink.common.typeinfo import Types
from pyflink.datastream import StreamExecutionEnvironment, MapFunction, RuntimeContext
from pyflink.datastream.connectors import FileSink, OutputFileConfig, NumberSequenceSource
from pyflink.datastream.state import ValueStateDescriptor

class MyMapFunction(MapFunction):
    def open(self, runtime_context: RuntimeContext):
        self.cnt_state = runtime_context.get_state(ValueStateDescriptor('cnt', Types.LONG()))
    def map(self, value):
        cnt = self.cnt_state.value()
        if cnt is None or cnt < 2:
            self.cnt_state.update(1 if cnt is None else cnt + 1)
            return value[0], value[1] + 1
        return value[0], value[1]
env = StreamExecutionEnvironment.get_execution_environment()
ds = env.from_source(source=NumberSequenceSource(1, 10000),
                     watermark_strategy=WatermarkStrategy.for_monotonous_timestamps(),
                     source_name='seq_num_source', type_info=Types.LONG())
row = Types.ROW([Types.LONG(), Types.LONG()])
ds = ds.map(lambda a: Row(a % 4, 1), output_type=row).key_by(lambda a: a[0]).map(MyMapFunction(), output_type=row)
file_sink = FileSink.for_row_format('{OUT}/counts', Encoder.simple_string_encoder()) \
    .with_output_file_config(OutputFileConfig.builder().with_part_prefix('pre').with_part_suffix('suf').build()).build()
ds.sink_to(file_sink)
env.execute('state_access_demo')
