"""The forms of statistic that have intervals, with all their methods declared."""

from certus.inference import intervals
from certus.inference.declare import FORMS, LABELS, Form, check_method, declared, form_of, method_of

__all__ = ["FORMS", "LABELS", "Form", "check_method", "declared", "form_of", "intervals", "method_of"]
