from org.apache.flink.api.common.functions import MapFunction

class Tokenizer(MapFunction):
    def map(self, value):
        return value[1]
def main(factory):
    env = factory.get_execution_environment()
    env.from_elements(("hello", 1), ("world", 2)).map(Tokenizer()).output()
    env.execute()
