"""Recall, precision and F1 when only a sample was checked."""
