def main(factory):
    env = factory.get_execution_environment()
    env.read_text_file("file://{OUT}/in.txt").output()
    env.execute()
