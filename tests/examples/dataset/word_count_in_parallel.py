from flink.plan.Environment import get_environment
from flink.functions.GroupReduceFunction import GroupReduceFunction

class Adder(GroupReduceFunction):
    def reduce(self, iterator, collector):
        count, word = iterator.next()
        collector.collect((count + sum([x[0] for x in iterator]), word))
env = get_environment()
env.set_parallelism(3)
env.from_elements("To be or", "not to be").flat_map(lambda x, c: [(1, w) for w in x.lower().split()]) \
    .group_by(1).reduce_group(Adder(), combinable=True).output()
env.execute()
