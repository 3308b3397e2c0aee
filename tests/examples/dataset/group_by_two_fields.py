from flink.plan.Environment import get_environment

env = get_environment()
env.from_elements((1, 'x', 10), (1, 'x', 5), (1, 'y', 1)).group_by(0, 1) \
    .reduce(lambda a, b: (a[0], a[1], a[2] + b[2])).output()
env.execute(local=True)
