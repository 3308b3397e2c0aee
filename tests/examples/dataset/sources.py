from flink.plan.Environment import get_environment
from flink.plan.Constants import INT, STRING, DOUBLE

env = get_environment()
env.read_csv("file://{OUT}/in.csv", (INT, STRING, DOUBLE)).output()
env.from_elements("Foo", "bar", "foobar", "fubar").output()
env.generate_sequence(1, 10).output()
env.execute(local=True)
