from org.apache.flink.api.common.functions import FlatMapFunction, ReduceFunction
from org.apache.flink.api.java.functions import KeySelector
from org.apache.flink.streaming.api.windowing.time.Time import milliseconds

class Tokenizer(FlatMapFunction):
    def flatMap(self, value, collector):
        for word in value.lower().split():
            collector.collect((1, word))
class Selector(KeySelector):
    def getKey(self, input):
        return input[1]
class Sum(ReduceFunction):
    def reduce(self, input1, input2):
        return (input1[0] + input2[0], input1[1])
def main(factory):
    env = factory.get_execution_environment()
    env.set_parallelism(3)
    text = env.from_elements("To be or", "not to be")
    text.flat_map(Tokenizer()).key_by(Selector()).time_window(milliseconds(30)).reduce(Sum()).print()
    env.execute()
