"""The planner of queries: the relational operators of their trees."""
