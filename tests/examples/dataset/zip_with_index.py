from flink.plan.Environment import get_environment

env = get_environment()
env.set_parallelism(1)
env.from_elements('a', 'b', 'c').zip_with_index().output()
env.execute(local=True)
