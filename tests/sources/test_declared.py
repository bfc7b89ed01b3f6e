"""Sources as a system.json declares them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.settings.parse import running_for
from rostrum.sources.declared import Declared, declared_sources
from rostrum.sources.source import RequestIdentity, Source

RUNNING = running_for({})


def declared(*entries: Any, **variables: str) -> Declared:
    return declared_sources({"systemConfigurations": {"sources": list(entries)}}, RUNNING, variables)


@pytest.mark.parametrize(
    "document",
    [{}, {"systemConfigurations": {}}, {"systemConfigurations": None}, {"systemConfigurations": {"sources": 1}}, None],
)
def test_without_declarations_nothing_is_added(document: Any) -> None:
    assert declared_sources(document, RUNNING, {}) == Declared()


@pytest.mark.rule("R-2.8-15", "R-2.8-16", "L-D-1", "L-D-2")
def test_every_property_has_its_default() -> None:
    found = declared({"type": "rest", "source": "http://x/systemConfig/get"})
    (source,) = found.sources
    assert found.problems == ()
    assert source == Source(
        type="rest",
        source="http://x/systemConfig/get",
        configs="*",
        priority=1000,
        required=False,
        impersonation=RequestIdentity(user=None, group="*", version=None),
        rest_backoff_factor=1000,
        rest_retries=3,
        rest_timeout=30,
        rest_use_cache=True,
    )


@pytest.mark.rule("R-2.8-10")
def test_every_property_can_be_set() -> None:
    entry = {
        "type": "rest",
        "source": "https://%HOST%/${PATH_PART}",
        "configs": "system.json",
        "priority": 5,
        "required": True,
        "impersonation": {"user": "ann", "group": "g", "version": "10"},
        "restBackoffFactor": 1,
        "restRetries": 0,
        "restTimeout": 2.5,
        "restUseCache": False,
    }
    assert declared(entry, HOST="h", PATH_PART="p") == Declared(
        sources=(
            Source(
                type="rest",
                source="https://h/p",
                configs="system.json",
                priority=5,
                required=True,
                impersonation=RequestIdentity(user="ann", group="g", version="10"),
                rest_backoff_factor=1,
                rest_retries=0,
                rest_timeout=2.5,
                rest_use_cache=False,
            ),
        ),
    )


def test_the_word_default_means_the_built_in_folder_which_is_always_there() -> None:
    assert declared({"type": "default", "required": True}) == Declared()


def test_an_unknown_variable_is_a_problem_that_names_it() -> None:
    found = declared({"type": "path", "source": "%NOPE%/x"})
    assert found.sources[0].source == "%NOPE%/x"
    assert [str(problem) for problem in found.problems] == [
        "systemConfigurations.sources[0].source: there is no environment variable NOPE"
    ]


def test_a_variable_that_names_itself_is_filled_in_once() -> None:
    assert declared({"type": "path", "source": "%LOOP%/x"}, LOOP="%LOOP%").sources[0].source == "%LOOP%/x"


def test_a_wrong_property_keeps_its_default() -> None:
    entry = {
        "type": "rest",
        "source": "http://x/",
        "configs": 1,
        "priority": "high",
        "required": "yes",
        "impersonation": {"user": 5},
        "restRetries": float("inf"),
        "restTimeout": -1,
        "restUseCache": 0,
        "restBackoffFactor": True,
    }
    assert declared(entry).sources == (Source(type="rest", source="http://x/"),)


def test_a_time_limit_of_nothing_is_refused() -> None:
    found = declared({"type": "rest", "source": "http://x/", "restTimeout": 0})
    assert found.sources[0].rest_timeout == 30
    assert [str(problem) for problem in found.problems] == [
        "systemConfigurations.sources[0].restTimeout: must be greater than 0"
    ]


@pytest.mark.parametrize("entry", [1, {}, {"type": "ftp", "source": "x"}, {"type": "path"}, {"type": "rest"}])
def test_an_entry_that_is_no_source_is_left_out_unless_it_is_required(entry: Any) -> None:
    path = {"type": "path", "source": "x"}
    found = declared(path, entry)
    assert (found.sources, found.unusable) == ((Source(type="path", source="x"),), ())
    if isinstance(entry, dict):
        assert declared(path, {**entry, "required": True}).unusable == ("systemConfigurations.sources[1]",)


@pytest.mark.rule("R-2.8-21")
def test_the_rest_properties_change_nothing_on_a_path_source() -> None:
    rest = {"restRetries": 9, "restTimeout": 1, "restBackoffFactor": 1, "restUseCache": False}
    assert declared({"type": "path", "source": "x", **rest}).sources == (Source(type="path", source="x"),)


def test_before_the_version_that_has_them_sources_are_not_read() -> None:
    document = {"systemConfigurations": {"sources": [{"type": "path", "source": "x"}]}}
    assert declared_sources(document, running_for({}, "10.0"), {}).sources == ()


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=3) | st.sampled_from(["path", "rest"]),
        lambda child: (
            st.lists(child, max_size=2)
            | st.dictionaries(st.sampled_from(["type", "source", "impersonation", "restRetries", "user"]), child)
        ),
    )
)
def test_any_declaration_can_be_read(entries: Any) -> None:
    found = declared_sources({"systemConfigurations": {"sources": entries}}, RUNNING, {})
    assert len(found.sources) <= (len(entries) if isinstance(entries, list) else 0)
