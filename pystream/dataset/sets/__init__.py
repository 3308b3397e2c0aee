"""The classes of data sets and their operators."""
