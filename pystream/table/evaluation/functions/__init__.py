"""What expressions are made of on workers: functions of values; they do not need the parser."""
