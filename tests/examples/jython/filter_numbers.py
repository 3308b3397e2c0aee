from org.apache.flink.api.common.functions import FilterFunction

class GreaterThen1000(FilterFunction):
    def filter(self, value):
        return value > 1000
def main(factory):
    env = factory.get_execution_environment()
    env.from_elements(999, 1000, 1001, 5000).filter(GreaterThen1000()).output()
    env.execute()
