from flink.plan.Environment import get_environment

env = get_environment()
env.from_elements(("hello", 1), ("world", 2)).map(lambda x: x[1]).output()
env.execute(local=True)
