from org.apache.flink.core.fs.FileSystem import WriteMode

def main(factory):
    env = factory.get_execution_environment()
    data = env.from_elements(1, 2, 3)
    data.write_as_text("file://{OUT}/out1")
    data.write_as_text("file://{OUT}/out2", mode=WriteMode.OVERWRITE)
    data.output()
    env.execute()
