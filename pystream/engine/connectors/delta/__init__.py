"""Tables of Delta Lake, whose log delta-rs reads and writes."""
