"""Schemas of messages: elements to bytes and back, one element at a time."""
