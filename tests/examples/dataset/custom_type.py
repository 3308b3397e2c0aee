from flink.plan.Environment import get_environment

import struct
class MyObj(object):
    def __init__(self, i):
        self.value = i
class MySerializer(object):
    def serialize(self, value):
        return struct.pack(">i", value.value)
class MyDeserializer(object):
    def _deserialize(self, read):
        return MyObj(struct.unpack(">i", read(4))[0])
env = get_environment()
env.register_custom_type(MyObj, MySerializer(), MyDeserializer())
env.from_elements(4, 5).map(lambda x: MyObj(x)).map(lambda o: o.value * 2).output()
env.execute(local=True)
