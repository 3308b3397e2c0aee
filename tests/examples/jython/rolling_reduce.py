from org.apache.flink.api.common.functions import ReduceFunction
from org.apache.flink.api.java.functions import KeySelector

class Selector(KeySelector):
    def getKey(self, input):
        return input[1]
class Sum(ReduceFunction):
    def reduce(self, input1, input2):
        count1, val1 = input1
        count2, _ = input2
        return (count1 + count2, val1)
def main(factory):
    env = factory.get_execution_environment()
    env.set_parallelism(1)
    env.from_elements((1, 'x'), (5, 'y'), (2, 'x')).key_by(Selector()).reduce(Sum()).output()
    env.execute()
