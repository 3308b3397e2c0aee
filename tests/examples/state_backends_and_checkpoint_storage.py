from pyflink.datastream import StreamExecutionEnvironment, HashMapStateBackend, EmbeddedRocksDBStateBackend, JobManagerCheckpointStorage

env = StreamExecutionEnvironment.get_execution_environment()
config = env.get_checkpoint_config()
env.set_state_backend(HashMapStateBackend())
config.set_checkpoint_storage(JobManagerCheckpointStorage())
print(type(env.get_state_backend()).__name__, type(config.get_checkpoint_storage()).__name__)
env.set_state_backend(EmbeddedRocksDBStateBackend())
config.set_checkpoint_storage_dir("file://{OUT}/chk")
print(type(env.get_state_backend()).__name__, type(config.get_checkpoint_storage()).__name__)
