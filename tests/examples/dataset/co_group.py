from flink.plan.Environment import get_environment
from flink.functions.CoGroupFunction import CoGroupFunction

class Counter(CoGroupFunction):
    def co_group(self, iterator1, iterator2, collector):
        collector.collect((sum(1 for _ in iterator1), sum(1 for _ in iterator2)))
env = get_environment()
data1 = env.from_elements((1, 'a'), (1, 'b'), (2, 'c'))
data2 = env.from_elements(('x', 1), ('y', 3))
data1.co_group(data2).where(0).equal_to(1).using(Counter()).output()
env.execute(local=True)
