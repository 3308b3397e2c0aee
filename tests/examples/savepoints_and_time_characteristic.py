from pyflink.common.restart_strategy import RestartStrategies
from pyflink.datastream import StreamExecutionEnvironment, TimeCharacteristic

env = StreamExecutionEnvironment.get_execution_environment()
env.set_default_savepoint_directory("hdfs://savepoints")
env.set_restart_strategy(RestartStrategies.no_restart())
env.set_stream_time_characteristic(TimeCharacteristic.EventTime)
print(env.get_default_savepoint_directory(), env.get_config().get_auto_watermark_interval())
