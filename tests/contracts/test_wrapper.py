"""The older wrapper."""

import pytest

from rostrum.base.errors import Invalid
from rostrum.contracts.wrapper import is_wrapper, unwrap


@pytest.mark.parametrize("document", [{"manifest": "{}"}, {"name": "a", "manifest": 4}, {"appId": "a", "manifest": ""}])
def test_a_wrapper_has_a_manifest(document: object) -> None:
    assert is_wrapper(document) is True


@pytest.mark.parametrize(
    "document", [None, [], {}, {"manifest": "{}", "details": {}}, {"manifest": "{}", "type": "window"}, "manifest"]
)
def test_what_has_properties_of_its_own_is_no_wrapper(document: object) -> None:
    assert is_wrapper(document) is False


def test_the_text_is_read() -> None:
    assert unwrap('{"name": "clock"}') == {"name": "clock"}


@pytest.mark.parametrize("manifest", ["", "[]", "null", "{", "'x'", "[" * 200])
def test_other_text_is_refused(manifest: str) -> None:
    with pytest.raises(Invalid):
        unwrap(manifest)
