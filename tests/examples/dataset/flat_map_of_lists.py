from flink.plan.Environment import get_environment

env = get_environment()
env.from_elements(["A b", "c"]).flat_map(lambda x, c: [(1, word) for line in x for word in line.lower().split()]).output()
env.execute(local=True)
