"""The sink of Cassandra."""
