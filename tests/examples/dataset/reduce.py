from flink.plan.Environment import get_environment

env = get_environment()
env.from_elements(1, 2, 3, 4).reduce(lambda x, y: x + y).output()
env.execute(local=True)
