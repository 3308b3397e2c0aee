"""The statements that ``execute_sql`` executes: a class each, with what it does."""
