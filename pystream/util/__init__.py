"""Exceptions under the names of PyFlink."""
