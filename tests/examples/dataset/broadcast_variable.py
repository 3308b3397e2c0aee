from flink.plan.Environment import get_environment
from flink.functions.MapFunction import MapFunction

class MapperBcv(MapFunction):
    def map(self, value):
        factor = self.context.get_broadcast_variable("bcv")[0][0]
        return value * factor
env = get_environment()
env.set_parallelism(1)
to_broadcast = env.from_elements((1,), (2,), (3,))
env.from_elements("a", "b").map(MapperBcv()).with_broadcast_set("bcv", to_broadcast).output()
env.execute(local=True)
