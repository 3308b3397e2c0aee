"""Functions by which queries over unbounded tables run on the operators of streams."""
