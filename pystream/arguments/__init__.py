"""Type checks and type inference for the arguments of API calls: functions, collections and types."""
