"""Planning: how many units a comparison needs, and which difference it can detect."""
