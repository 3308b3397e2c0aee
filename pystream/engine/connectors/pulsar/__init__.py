"""The source and the sink of Pulsar."""
