from org.apache.flink.api.common.functions import FlatMapFunction, ReduceFunction
from org.apache.flink.api.java.functions import KeySelector
from org.apache.flink.streaming.api.functions.source import SourceFunction
from org.apache.flink.streaming.api.windowing.time.Time import milliseconds

class Generator(SourceFunction):
    def __init__(self, num_iters):
        self._running = True
        self._num_iters = num_iters
    def run(self, ctx):
        sent = 0
        while self._running and sent < self._num_iters:
            ctx.collect('Hello World')
            sent += 1
    def cancel(self):
        self._running = False
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
    (env.create_python_source(Generator(num_iters=1000)).flat_map(Tokenizer())
        .key_by(Selector()).time_window(milliseconds(50)).reduce(Sum()).output())
    env.execute()
