"""Jobs from Kafka to Kafka, compared with PyFlink and Structured Streaming on the same broker."""
