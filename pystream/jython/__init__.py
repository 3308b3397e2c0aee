"""The streaming API that Flink's Jython guide describes, on Python 3."""
