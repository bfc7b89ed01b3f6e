"""Checking layouts."""

from rostrum.base.problems import Problem
from rostrum.contracts.explain import capped, problems_in
from rostrum.contracts.layouts.layout import Layout

__all__ = ["check_layout"]


def check_layout(definition: object) -> list[Problem]:
    """Tell all that is wrong with a layout."""
    return capped(problems_in(definition, Layout))
