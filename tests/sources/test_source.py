"""A source and what it says about itself."""

from dataclasses import FrozenInstanceError

import pytest

from rostrum.base.json5_text import TextPosition
from rostrum.contracts.system_config import may_be_array
from rostrum.sources.source import ARRAY_FILES, DEFAULT_SOURCE, STANDARD_FILES, Remark, RequestIdentity, Source


def test_both_sides_agree_which_files_may_hold_a_list() -> None:
    assert {name for name in STANDARD_FILES if may_be_array(name)} == ARRAY_FILES


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://example.com:8080/api/systemConfig/get", "https://example.com:8080/api/systemConfig/get"),
        ("https://ann:secret@example.com/x?token=1#part", "https://example.com/x?…"),
        ("http://[broken", "(an address that cannot be read)"),
    ],
)
def test_an_address_is_shown_without_secrets(address: str, shown: str) -> None:
    assert Source(type="rest", source=address).name == shown


def test_a_folder_is_shown_as_it_is() -> None:
    assert Source(type="path", source="C:\\x@y?z").name == "C:\\x@y?z"


def test_a_source_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        DEFAULT_SOURCE.priority = 2  # type: ignore[misc]


def test_only_what_is_set_is_sent() -> None:
    assert RequestIdentity().body() == {"group": "*"}
    assert RequestIdentity(user="ann", group=None).body() == {"user": "ann"}


def test_a_remark_reads_well_in_a_line() -> None:
    remark = Remark(source="./config", file="system.json", path="a.b", place=TextPosition(2, 3), message="is odd")
    assert str(remark) == "./config: system.json: a.b (line 2, column 3): is odd"
