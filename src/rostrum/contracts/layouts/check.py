"""Checking layouts."""

from rostrum.base.problems import Problem
from rostrum.contracts.explain import problems_in
from rostrum.contracts.layouts.layout import Layout


def check_layout(definition: object) -> list[Problem]:
    """Tell all that is wrong with a layout."""
    return problems_in(definition, Layout)
