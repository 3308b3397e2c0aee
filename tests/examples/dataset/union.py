from flink.plan.Environment import get_environment

env = get_environment()
env.from_elements(1, 2).union(env.from_elements(2, 3)).output()
env.execute(local=True)
