from org.apache.flink.api.common.functions import MapFunction

class Doubler(MapFunction):
    def map(self, value):
        return value * 2
def main(factory):
    env = factory.get_execution_environment()
    env.from_elements(1, 2, 3).map(Doubler()).output()
    env.execute()
