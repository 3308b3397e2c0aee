"""Sources and sinks on the workers."""
