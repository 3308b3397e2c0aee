from flink.plan.Environment import get_environment

env = get_environment()
env.read_text("file://{OUT}/in.txt").output()
env.execute(local=True)
