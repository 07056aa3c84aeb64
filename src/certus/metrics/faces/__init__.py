"""The metrics of each task by the names of their functions; the types of a module are in its stub."""
