"""The forms of statistic that have intervals, and their methods."""

from certus.inference.declare import FORMS, LABELS, Form, check_method, class_of_form, declared, form_of, method_of

__all__ = ["FORMS", "LABELS", "Form", "check_method", "class_of_form", "declared", "form_of", "method_of"]
