def main(factory):
    env = factory.get_execution_environment()
    env.read_text("file://{OUT}/in.txt").output()
    env.from_elements("Foo", "bar", "foobar", "fubar").output()
    env.generate_sequence(1, 10).output()
    env.execute()
