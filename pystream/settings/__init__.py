"""Settings: configuration options with their types and defaults, held in a configuration."""
