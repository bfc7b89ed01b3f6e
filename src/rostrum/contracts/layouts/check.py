"""Checking layouts."""

from rostrum.base.problems import Problem
from rostrum.contracts.layouts.layout import Layout
from rostrum.contracts.validation_messages import problems_in


def check_layout(definition: object) -> list[Problem]:
    """Tell all that is wrong with a layout."""
    return problems_in(definition, Layout)
