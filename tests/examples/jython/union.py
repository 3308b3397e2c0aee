def main(factory):
    env = factory.get_execution_environment()
    data_stream = env.from_elements(1)
    data_stream.union(data_stream, env.from_elements(2), env.from_elements(3)).output()
    env.execute()
