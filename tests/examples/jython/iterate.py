from org.apache.flink.api.common.functions import FilterFunction, MapFunction

class MinusOne(MapFunction):
    def map(self, value):
        return value - 1
class PositiveNumber(FilterFunction):
    def filter(self, value):
        return value > 0
class LessEquelToZero(FilterFunction):
    def filter(self, value):
        return value <= 0
def main(factory):
    env = factory.get_execution_environment()
    iteration = env.from_elements(3, 1, 0, -5).iterate(5000)
    iteration_body = iteration.map(MinusOne())
    iteration.close_with(iteration_body.filter(PositiveNumber()))
    iteration_body.filter(LessEquelToZero()).output()
    env.execute()
