"""Curves of a threshold over scores and of calibration, with their bands, and the best threshold by a criterion."""

from certus.curves._band import Band
from certus.curves._curve import Curve
from certus.curves.best_threshold import BestThreshold
from certus.curves.calibration import CalibrationBand, CalibrationCurve
from certus.curves.det import DetCurve
from certus.curves.gain import GainCurve
from certus.curves.lift import LiftCurve
from certus.curves.operating_point import OperatingPoint
from certus.curves.precision_recall import PrecisionRecallCurve
from certus.curves.roc import RocCurve

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
