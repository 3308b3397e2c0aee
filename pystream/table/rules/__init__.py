"""Rules: rewrites of queries into others with the same results, each a module of its own."""
