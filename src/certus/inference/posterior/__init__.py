"""Posterior laws of precision, recall and F, in the words of Goutte & Gaussier (2005)."""
