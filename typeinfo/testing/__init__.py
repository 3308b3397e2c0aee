"""Testing of types and serializers: strategies, laws, reproductions and the pytest plugin."""
