from pyflink.datastream import StreamExecutionEnvironment, EmbeddedRocksDBStateBackend, PredefinedOptions

env = StreamExecutionEnvironment.get_execution_environment()
state_backend = EmbeddedRocksDBStateBackend()
assert state_backend.get_predefined_options() == PredefinedOptions.DEFAULT
state_backend.set_predefined_options(PredefinedOptions.SPINNING_DISK_OPTIMIZED)
env.set_state_backend(state_backend)
print(state_backend.get_predefined_options())
