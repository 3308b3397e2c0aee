"""Encodings of elements as bytes: JSON, CSV and Avro."""
