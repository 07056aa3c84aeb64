"""Laws on a lattice: hypergeometric counts, sums of ranks, and mixtures of them."""
