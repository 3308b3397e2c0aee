"""The sink of Elasticsearch and OpenSearch."""
