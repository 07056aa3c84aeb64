"""Parts of `differential.py`: random calls of the public interface, and installations that make them."""
