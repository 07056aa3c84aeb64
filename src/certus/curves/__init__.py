"""Curves of a threshold over scores and of calibration, with their bands, and the best threshold by a criterion."""

from certus.curves._curve import Band, Curve
from certus.curves.best_threshold import BestThreshold, OperatingPoint
from certus.curves.calibration import CalibrationBand, CalibrationCurve
from certus.curves.rates import DetCurve, GainCurve, LiftCurve, PrecisionRecallCurve, RocCurve

__all__ = [
    "Band",
    "BestThreshold",
    "CalibrationBand",
    "CalibrationCurve",
    "Curve",
    "DetCurve",
    "GainCurve",
    "LiftCurve",
    "OperatingPoint",
    "PrecisionRecallCurve",
    "RocCurve",
]
