from org.apache.flink.core.fs.FileSystem import WriteMode

def main(factory):
    env = factory.get_execution_environment()
    env.from_elements((1, 2, 3)).write_as_text("file://{OUT}/out3", WriteMode.OVERWRITE)
    env.execute()
