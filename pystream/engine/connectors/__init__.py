"""Sources and sinks as the workers see them."""
