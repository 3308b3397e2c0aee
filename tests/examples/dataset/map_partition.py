from flink.plan.Environment import get_environment

env = get_environment()
env.from_elements(1, 2, 3, 4).map_partition(lambda x, c: [value * 2 for value in x]).output()
env.execute(local=True)
