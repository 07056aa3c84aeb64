"""Tables as text: how they read, and how wide they are."""
