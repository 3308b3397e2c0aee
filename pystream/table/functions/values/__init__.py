"""Functions of values, which evaluated expressions consist of on workers; none needs the parser."""
