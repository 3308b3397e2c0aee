def main(factory):
    env = factory.get_execution_environment()
    assert env is not None
