"""Curves of a threshold over scores and of calibration, with their bands, and the best threshold by a criterion."""

from certus.curves._band import Band
from certus.curves._curve import Curve
from certus.curves.best_threshold import BestThreshold, best_threshold
from certus.curves.calibration import CalibrationBand, CalibrationCurve, calibration_curve
from certus.curves.det import DetCurve, det_curve
from certus.curves.gain import GainCurve, gain_curve
from certus.curves.lift import LiftCurve, lift_curve
from certus.curves.operating_point import OperatingPoint
from certus.curves.precision_recall import PrecisionRecallCurve, precision_recall_curve
from certus.curves.roc import RocCurve, roc_curve

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
    "best_threshold",
    "calibration_curve",
    "det_curve",
    "gain_curve",
    "lift_curve",
    "precision_recall_curve",
    "roc_curve",
]
