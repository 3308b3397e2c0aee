from flink.plan.Environment import get_environment

env = get_environment()
env.from_elements(1, 2).cross(env.from_elements('a', 'b')).output()
env.execute(local=True)
