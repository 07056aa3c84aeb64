"""Planning: how many units a comparison needs, and what it can find."""
