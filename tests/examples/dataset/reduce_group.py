from flink.plan.Environment import get_environment
from flink.functions.GroupReduceFunction import GroupReduceFunction

class Adder(GroupReduceFunction):
    def reduce(self, iterator, collector):
        count, word = iterator.next()
        count += sum([x[0] for x in iterator])
        collector.collect((count, word))
env = get_environment()
data = env.from_elements((1, 'a'), (3, 'a'), (2, 'b'))
data.reduce_group(Adder()).output()
data.group_by(1).reduce_group(Adder()).output()
env.execute(local=True)
