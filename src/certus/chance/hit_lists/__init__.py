"""What a hit list can be asked: its scores, its kind, its pictures."""
