from flink.plan.Environment import get_environment

env = get_environment()
input1 = env.from_elements((1, 'a'), (2, 'b'), (2, 'c'), (9, 'z'))
input2 = env.from_elements(('x', 1), ('y', 2))
input1.join(input2).where(0).equal_to(1).output()
env.execute(local=True)
