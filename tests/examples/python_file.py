from pyflink.datastream import StreamExecutionEnvironment

open('{OUT}/helper.py', 'w').write('def answer():\n    return 42\n')
env = StreamExecutionEnvironment.get_execution_environment()
env.add_python_file('{OUT}/helper.py')
def f(_):
    from helper import answer
    return answer()
with env.from_collection([0]).map(f).execute_and_collect() as it:
    assert list(it) == [42]
