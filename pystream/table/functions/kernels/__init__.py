"""Functions of values as kernels of Arrow, which compute the values of whole columns on workers.

A kernel has exactly the results of the function of values beside it, or raises `NotComputedError`; the
values are then computed one by one.
"""
