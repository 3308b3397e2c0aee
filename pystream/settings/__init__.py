"""Settings: keys, kinds of value and defaults, in one configuration."""
