from flink.plan.Environment import get_environment
from flink.plan.Constants import WriteMode

env = get_environment()
data = env.from_elements((1, 'a'), (2, 'b'))
data.write_text("file://{OUT}/t", write_mode=WriteMode.NO_OVERWRITE)
data.write_csv("file://{OUT}/c", line_delimiter="\n", field_delimiter="|", write_mode=WriteMode.OVERWRITE)
data.output()
env.execute(local=True)
