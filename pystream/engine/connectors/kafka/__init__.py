"""Kafka as a source and a sink, by librdkafka in the workers and the driver."""
