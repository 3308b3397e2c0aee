from org.apache.flink.api.common.functions import MapFunction
from org.apache.flink.streaming.api.collector.selector import OutputSelector

class StreamSelector(OutputSelector):
    def select(self, value):
        return ["even"] if value % 2 == 0 else ["odd"]
class Tag(MapFunction):
    def __init__(self, tag):
        self.tag = tag
    def map(self, value):
        return "%s %d" % (self.tag, value)
def main(factory):
    env = factory.get_execution_environment()
    splited_stream = env.from_elements(1, 2, 3, 4).split(StreamSelector())
    splited_stream.select("even").map(Tag("even")).output()
    splited_stream.select("odd").map(Tag("odd")).output()
    splited_stream.select("even", "odd").map(Tag("all")).output()
    env.execute()
