"""The manager's OpenAPI document, for tests that go through all operations."""

from tempfile import TemporaryDirectory

from rostrum.manager.app import create_app
from tests.conftest import manager_config

__all__ = ["DOCUMENT"]

with TemporaryDirectory() as _folder:
    # It is never opened, but the file is there from the start.
    DOCUMENT = create_app(manager_config(f"sqlite:///{_folder}/rostrum.db")).openapi()
