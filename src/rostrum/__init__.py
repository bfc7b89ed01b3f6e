"""Rostrum: an open desktop-integration platform and the server that manages it."""

__all__ = ["__version__"]

__version__ = "0.1.0"
