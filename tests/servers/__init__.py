"""Real servers for tests, each in a directory and on ports of its own."""
