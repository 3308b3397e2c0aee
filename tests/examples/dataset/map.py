from flink.plan.Environment import get_environment

env = get_environment()
env.from_elements(1, 2, 3).map(lambda x: x * 2).output()
env.execute(local=True)
