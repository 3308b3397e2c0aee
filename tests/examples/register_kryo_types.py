from pyflink.datastream import StreamExecutionEnvironment

env = StreamExecutionEnvironment.get_execution_environment()
env.add_default_kryo_serializer("com.aaa.bbb.TypeClass", "com.aaa.bbb.Serializer")
env.register_type("com.aaa.bbb.TypeClass")
env.register_type_with_kryo_serializer("com.aaa.bbb.TypeClass", "com.aaa.bbb.Serializer")
