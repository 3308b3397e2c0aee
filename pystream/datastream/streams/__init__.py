"""The classes of streams and their operators."""
