"""The algebra of tables: relational operators over resolved columns, between queries and what runs them."""
