"""scikit-learn's classification and regression metrics, computed by certus."""

from certus.compat.sklearn import _clustering, _labels, _parameters, _regression, _scores
from certus.compat.sklearn._clustering import *
from certus.compat.sklearn._labels import *
from certus.compat.sklearn._parameters import *
from certus.compat.sklearn._regression import *
from certus.compat.sklearn._scores import *

__all__: list[str] = []
__all__ += _clustering.__all__
__all__ += _labels.__all__
__all__ += _parameters.__all__
__all__ += _regression.__all__
__all__ += _scores.__all__
