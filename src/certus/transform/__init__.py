"""The transform engine: tails, quantiles and enumeration of laws given by their generating functions or by parts."""
