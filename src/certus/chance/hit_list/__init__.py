"""Hit lists: the ranks that hold hits, their measures and their standing."""
