from flink.plan.Environment import get_environment

env = get_environment()
env.from_elements(999, 1000, 1001).filter(lambda x: x > 1000).output()
env.execute(local=True)
