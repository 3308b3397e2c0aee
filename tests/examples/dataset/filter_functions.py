from flink.plan.Environment import get_environment
from flink.functions.FilterFunction import FilterFunction

class Filter(FilterFunction):
    def filter(self, value):
        return value > 5
env = get_environment()
data = env.from_elements(5, 6, 7)
data.filter(lambda x: x > 5).output()
data.filter(Filter()).output()
env.execute(local=True)
