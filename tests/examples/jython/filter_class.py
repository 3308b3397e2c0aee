from org.apache.flink.api.common.functions import FilterFunction

class Filter(FilterFunction):
    def filter(self, value):
        return value > 5
def main(factory):
    env = factory.get_execution_environment()
    env.from_elements(4, 5, 6, 7).filter(Filter()).output()
    env.execute()
