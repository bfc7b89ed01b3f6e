"""Rostrum: an open desktop-integration platform and the server that manages it."""

__all__ = ["PLATFORM_VERSION", "__version__"]

__version__ = "0.2.0.dev0"
"""The product version: the release of Rostrum."""

PLATFORM_VERSION = "10.1"
"""The platform version that desktops behave as, and report, unless they are run as another one."""
