from pyflink.datastream import StreamExecutionEnvironment

import zipfile
with zipfile.ZipFile('{OUT}/env.zip', 'w') as z:
    z.writestr('data.txt', 'hi')
env = StreamExecutionEnvironment.get_execution_environment()
env.add_python_archive('{OUT}/env.zip', 'myenv')
def read(_):
    with open('myenv/data.txt') as f:
        return f.read()
with env.from_collection([0]).map(read).execute_and_collect() as it:
    assert list(it) == ['hi']
