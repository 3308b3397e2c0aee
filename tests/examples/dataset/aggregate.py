from flink.plan.Environment import get_environment
from flink.functions.Aggregation import Sum, Max

env = get_environment()
data = env.from_elements((1, 5), (2, 3), (4, 9))
data.aggregate(Sum, 0).and_agg(Max, 1).output()
data.sum(0).and_agg(Max, 1).output()
env.execute(local=True)
