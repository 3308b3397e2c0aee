"""Functions of the program that queries call: their classes, and what makes them known to SQL."""
