from flink.plan.Environment import get_environment
from flink.functions.GroupReduceFunction import GroupReduceFunction

class Total(GroupReduceFunction):
    def reduce(self, iterator, collector):
        key, total = iterator.next()
        collector.collect((key, total + sum([x[1] for x in iterator])))
env = get_environment()
env.from_elements(('k1', 1), ('k1', 2), ('k2', 4)).group_by(0).reduce_group(Total()).output()
env.execute(local=True)
