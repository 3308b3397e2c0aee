from org.apache.flink.api.common.functions import MapFunction

class Person:
    def __init__(self, name, age):
        self.name = name
        self.age = age
class Tokenizer(MapFunction):
    def map(self, value):
        return (1, Person(*value))
class Show(MapFunction):
    def map(self, value):
        return "%s %d" % (value[1].name, value[1].age)
def main(factory):
    env = factory.get_execution_environment()
    env.from_elements(("Ann", 30), ("Bob", 41)).map(Tokenizer()).map(Show()).output()
    env.execute()
