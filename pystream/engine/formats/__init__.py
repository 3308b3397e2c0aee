"""Message formats: JSON, CSV and Avro."""
