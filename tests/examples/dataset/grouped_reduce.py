from flink.plan.Environment import get_environment
from flink.functions.ReduceFunction import ReduceFunction

class MyReduceFunction(ReduceFunction):
    def reduce(self, value1, value2):
        return (value1[0], value1[1] + value2[1])
env = get_environment()
env.from_elements(("hello", 1), ("world", 2), ("hello", 3)).group_by(0).reduce(MyReduceFunction()).output()
env.execute(local=True)
