from org.apache.flink.api.java.functions import KeySelector
from org.apache.flink.streaming.api.functions.windowing import WindowFunction

class Selector(KeySelector):
    def getKey(self, input):
        return input[1]
class WindowSum(WindowFunction):
    def apply(self, key, window, values, collector):
        total = 0
        for value in values:
            total += value[0]
        collector.collect((key, total))
def main(factory):
    env = factory.get_execution_environment()
    env.set_parallelism(1)
    keyed = env.from_elements(*[(i, 'k') for i in range(1, 21)]).key_by(Selector())
    keyed.count_window(10, 5).apply(WindowSum()).output()
    env.execute()
