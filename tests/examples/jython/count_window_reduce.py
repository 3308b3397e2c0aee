from org.apache.flink.api.common.functions import ReduceFunction
from org.apache.flink.api.java.functions import KeySelector

class Selector(KeySelector):
    def getKey(self, input):
        return input[1]
class Sum(ReduceFunction):
    def reduce(self, input1, input2):
        return (input1[0] + input2[0], input1[1])
def main(factory):
    env = factory.get_execution_environment()
    env.set_parallelism(1)
    (env.from_elements((1, 'k'), (2, 'k'), (3, 'k'), (4, 'k'), (5, 'k')).key_by(Selector())
        .count_window(2).reduce(Sum()).output())
    env.execute()
