from pyflink.datastream import StreamExecutionEnvironment, CheckpointingMode

env = StreamExecutionEnvironment.get_execution_environment()
assert env.get_checkpoint_interval() == -1
env.enable_checkpointing(300000, CheckpointingMode.AT_LEAST_ONCE)
config = env.get_checkpoint_config()
config.set_checkpointing_mode(CheckpointingMode.AT_LEAST_ONCE)
print(env.get_checkpoint_interval(), env.get_checkpointing_mode())
