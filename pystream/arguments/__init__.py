"""Arguments of the API: functions, collections and types that calls take, checked and typed."""
