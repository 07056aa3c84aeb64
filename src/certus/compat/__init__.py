"""Drop-in faces of other tools, each a thin adapter over certus's own kernels."""
