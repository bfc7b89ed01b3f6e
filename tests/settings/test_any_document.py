"""Whatever JSON is read, reading ends with settings and a list of problems."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.settings.catalogue import catalogue
from rostrum.settings.kinds import SettingsFile
from rostrum.settings.parse import parse_document, parse_early
from rostrum.settings.roots import ROOTS
from rostrum.settings.settings import EarlySettings
from tests.settings.samples import VERSIONS, full

_NAMES = sorted(
    {name.removesuffix("[]") for kind in SettingsFile for path in catalogue(kind) for name in path.split(".")}
)
_WORDS = sorted({word for kind in SettingsFile for one in catalogue(kind).values() for word in one.enum})
_LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from([*_WORDS, 10**400])
)


def _containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    keys = st.sampled_from(_NAMES) | st.text(max_size=3)
    return st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=5)


JSON = st.recursive(_LEAVES, _containers, max_leaves=30)
_VERSIONS = st.sampled_from(["9.1", "9.15", "10.0", "10.1"])


@given(kind=st.sampled_from(SettingsFile), document=JSON, version=_VERSIONS, strict=st.booleans())
def test_any_document_is_read_without_an_exception(
    kind: SettingsFile, document: Any, version: str, strict: bool
) -> None:
    parsed = parse_document(kind, document, version=version, strict=strict)
    assert isinstance(parsed.settings, ROOTS[kind])
    assert all(str(problem) for problem in parsed.problems)
    assert isinstance(parse_early(document, version=version).settings, EarlySettings)


@pytest.mark.long
@given(kind=st.sampled_from(SettingsFile), data=st.data(), version=st.sampled_from(sorted(VERSIONS)))
def test_a_full_document_with_anything_put_in_is_read(kind: SettingsFile, data: st.DataObject, version: Any) -> None:
    document = full(kind, version)
    spot: Any = document
    while isinstance(spot, dict) and spot:
        key = data.draw(st.sampled_from(sorted(spot)))
        if not isinstance(spot[key], dict) or not spot[key] or data.draw(st.booleans()):
            spot[key] = data.draw(JSON)
            break
        spot = spot[key]
    assert isinstance(parse_document(kind, document, version=VERSIONS[version]).settings, ROOTS[kind])


def test_a_number_too_long_to_be_written_is_reported_like_any_other() -> None:
    (error,) = parse_document(SettingsFile.SYSTEM, {"gw": {"configuration": {"port": 10**5000}}}).errors
    assert "a very long number" in str(error)


def test_of_many_unknown_names_each_is_reported_and_the_first_ones_get_a_guess() -> None:
    document = {f"splas{index}": 1 for index in range(300)} | {"x" * 100_000: 1}
    problems = parse_document(SettingsFile.SYSTEM, document).problems
    assert len(problems) == 301
    assert problems[0].suggestion == "splash"
    assert problems[-1].suggestion is None


def test_of_many_wrong_words_each_is_reported_and_the_first_ones_get_a_guess() -> None:
    problems = parse_document(SettingsFile.SYSTEM, {"appStores": [{"type": "rst"}] * 300}).problems
    assert [problem.suggestion for problem in problems] == ["rest"] * 100 + [None] * 200
