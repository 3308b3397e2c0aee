"""Unbounded jobs on any host: their directory, epoch log and savepoints."""
