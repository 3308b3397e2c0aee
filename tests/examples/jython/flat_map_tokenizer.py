from org.apache.flink.api.common.functions import FlatMapFunction

class Tokenizer(FlatMapFunction):
    def flatMap(self, word, collector):
        collector.collect((1, word))
def main(factory):
    env = factory.get_execution_environment()
    env.from_elements('a', 'b').flat_map(Tokenizer()).output()
    env.execute()
