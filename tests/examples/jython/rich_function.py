from org.apache.flink.api.common.functions import RichMapFunction

class Tokenizer(RichMapFunction):
    def open(self, config):
        self.mark = 'opened'
    def close(self):
        self.mark = None
    def map(self, value):
        return (self.mark, value)
def main(factory):
    env = factory.get_execution_environment()
    env.from_elements(1, 2).map(Tokenizer()).output()
    env.execute()
