"""The classes of streams, with the operators that programs call."""
