"""Answers of a hit list: its scores, its kind, its pictures."""
