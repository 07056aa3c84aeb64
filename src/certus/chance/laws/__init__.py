"""Laws of metrics under a random ranking, a file for each metric."""
