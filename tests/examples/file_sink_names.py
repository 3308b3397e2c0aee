from pyflink.common.serialization import Encoder
from pyflink.common.typeinfo import Types
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.datastream.connectors import FileSink, OutputFileConfig

env = StreamExecutionEnvironment.get_execution_environment()
env.from_collection([1, 2, 3], type_info=Types.INT()).sink_to(
    FileSink.for_row_format('{OUT}/numbers', Encoder.simple_string_encoder())
    .with_output_file_config(OutputFileConfig.builder().with_part_prefix('pre').with_part_suffix('suf').build()).build())
env.execute()
