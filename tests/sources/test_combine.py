"""All sources together: order, filters, failures, origins."""

import asyncio
import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.settings.merge import Layer, merge
from rostrum.sources.combine import Combined, Outcome, combine, merge_all
from rostrum.sources.environment import Pair
from rostrum.sources.errors import RequiredSourceFailed
from rostrum.sources.source import Fetched, FetchedFile, Remark, Source

LOCAL_ONLY = (("env",), ("windowManagement", "hardwareAcceleration", "enabled"))


def fetched(**documents: Any) -> Fetched:
    return Fetched(files={f"{n}.json": FetchedFile(name=f"{n}.json", document=d) for n, d in documents.items()})


def outcome(name: str, answer: Fetched, **properties: Any) -> Outcome:
    return Outcome(Source(**{"type": "rest", "source": f"http://{name}/", **properties}), answer)


def document(combined: Combined, file: str = "system.json") -> Any:
    return combined.files[file].document


@pytest.mark.rule("R-2.8-13")
def test_a_higher_priority_overrides_a_lower_one_wherever_it_stands() -> None:
    combined = merge_all(
        [
            outcome("high", fetched(system={"a": "high"}), priority=2000),
            outcome("low", fetched(system={"a": "low", "b": "low"}), priority=5),
        ]
    )
    assert document(combined) == {"a": "high", "b": "low"}


@pytest.mark.rule("R-2.8-14")
def test_of_equal_priorities_the_later_wins() -> None:
    combined = merge_all([outcome("one", fetched(system={"a": 1})), outcome("two", fetched(system={"a": 2}))])
    assert document(combined) == {"a": 2}


@pytest.mark.rule("R-2.8-15")
def test_a_source_without_priority_overrides_the_built_in_one() -> None:
    combined = merge_all(
        [
            outcome("given", fetched(system={"a": "given"})),
            outcome("built-in", fetched(system={"a": "built-in"}), type="path", priority=1),
        ]
    )
    assert document(combined) == {"a": "given"}


@pytest.mark.rule("R-2.8-1", "R-2.8-13", "R-2.8-14", "T-D-5")
@given(st.lists(st.tuples(st.integers(0, 3), st.dictionaries(st.sampled_from("abc"), st.integers())), max_size=6))
def test_the_result_is_the_merge_of_the_sorted_documents(sources: list[tuple[int, dict[str, int]]]) -> None:
    combined = merge_all([outcome("x", fetched(system=each), priority=priority) for priority, each in sources])
    in_order = [each for _, _, each in sorted((p, index, each) for index, (p, each) in enumerate(sources))]
    expected = merge(Layer(None, each) for each in in_order).document if sources else None
    assert (document(combined) if sources else None) == expected


def test_each_value_has_its_origin() -> None:
    cached = Fetched(files=fetched(system={"b": 2}).files, status="cached", age=60, error="down")
    text = '{\n "a": 1}'
    local = Fetched(files={"system.json": FetchedFile(name="system.json", document={"a": 1}, text=text)})
    combined = merge_all([outcome("x", cached), outcome("x", local, type="path", source="./config", priority=1)])
    origins = combined.files["system.json"].origins
    first, second = origins[("a",)], origins[("b",)]
    assert (first.source, first.type, first.file, first.cached, first.age) == (
        "./config",
        "path",
        "system.json",
        False,
        None,
    )
    assert first.place(("a",)) == (2, 2)
    assert (second.source, second.cached, second.age, second.place(("b",))) == ("http://x/", True, 60, None)
    assert [layer.origin.source for layer in combined.layers["system.json"]] == ["./config", "http://x/"]


@pytest.mark.rule("R-2.8-12")
@pytest.mark.parametrize(
    ("configs", "applied"),
    [
        ("*", {"system.json", "custom.json", "themes.json"}),
        ("system.json", {"system.json"}),
        (" custom.json , system.json", {"system.json", "custom.json"}),
        ("", set()),
        ("other.json", set()),
    ],
)
def test_only_the_named_files_are_applied(configs: str, applied: set[str]) -> None:
    combined = merge_all([outcome("x", fetched(system={}, custom={}, themes=[]), configs=configs)])
    assert set(combined.files) == applied
    assert set(combined.remote_documents()) == {"system.json", "custom.json", "themes.json"}


@pytest.mark.rule("R-2.11-4")
def test_the_file_of_the_pair_goes_over_the_base_file_of_its_own_source() -> None:
    files = {"system-DEMO-emea": {"a": "pair"}, "system": {"a": "base", "b": "base"}, "system-UAT-EMEA": {"a": "uat"}}
    combined = merge_all(
        [outcome("x", fetched(**files), priority=1), outcome("y", fetched(system={"b": "y"}))],
        pair=Pair("DEMO", "EMEA"),
    )
    assert document(combined) == {"a": "pair", "b": "y"}
    assert combined.files["system.json"].origins[("a",)].file == "system-DEMO-emea.json"


@pytest.mark.rule("R-2.8-6", "X-D-10")
@pytest.mark.parametrize("file", ["system", "system-DEMO-EMEA"])
def test_local_only_values_of_remote_sources_are_ignored_with_a_remark_each(file: str) -> None:
    remote = {"env": "X", "windowManagement": {"hardwareAcceleration": {"enabled": True}}, "build": "remote"}
    combined = merge_all(
        [
            outcome("local", fetched(system={"env": "DEMO"}), type="path", source="./config", base=True),
            outcome("remote", fetched(**{file: remote})),
        ],
        pair=Pair("DEMO", "EMEA"),
        local_only=LOCAL_ONLY,
    )
    assert document(combined) == {"env": "DEMO", "build": "remote"}
    assert [(remark.source, remark.file, remark.path) for remark in combined.remarks] == [
        ("http://remote/", f"{file}.json", "env"),
        ("http://remote/", f"{file}.json", "windowManagement.hardwareAcceleration.enabled"),
    ]


def test_local_only_names_in_other_files_are_ordinary() -> None:
    combined = merge_all([outcome("x", fetched(custom={"env": 1}))], local_only=LOCAL_ONLY)
    assert document(combined, "custom.json") == {"env": 1}
    assert combined.remarks == ()


def test_remarks_of_the_sources_are_kept() -> None:
    remark = Remark(source="x", message="odd")
    assert merge_all([outcome("x", fetched(system={}).with_remark(remark))]).remarks == (remark,)


@pytest.mark.rule("R-2.8-1")
async def test_all_sources_are_fetched_at_the_same_time_and_none_is_applied_before_the_last() -> None:
    started: list[str] = []
    everyone = asyncio.Event()

    async def read(source: Source) -> Fetched:
        started.append(source.source)
        if len(started) == 3:
            everyone.set()
        await everyone.wait()
        return fetched(system={source.source: 1})

    combined = await combine([Source(type="path", source=name) for name in "abc"], read)
    assert document(combined) == {"a": 1, "b": 1, "c": 1}


@pytest.mark.rule("R-2.8-2")
async def test_a_required_source_that_fails_stops_the_start_and_all_are_named() -> None:
    async def read(source: Source) -> Fetched:
        return Fetched(status="failed", error=f"no {source.source}")

    sources = [Source(type="path", source=name, required=name != "b") for name in "abc"]
    with pytest.raises(RequiredSourceFailed, match=r"cannot be retrieved: a: no a; c: no c$") as caught:
        await combine(sources, read)
    assert caught.value.failures == (("a", "no a"), ("c", "no c"))


@pytest.mark.rule("R-2.8-3", "X-7-3", "T-D-4")
async def test_an_optional_source_that_fails_is_logged_and_reported(caplog: pytest.LogCaptureFixture) -> None:
    async def read(source: Source) -> Fetched:
        return Fetched(status="failed", error="no answer") if source.source == "b" else fetched(system={"a": 1})

    with caplog.at_level(logging.WARNING):
        combined = await combine([Source(type="path", source=name) for name in "ab"], read)
    assert document(combined) == {"a": 1}
    assert [each.fetched.status for each in combined.sources] == ["ok", "failed"]
    assert caplog.messages == ["configuration source b: no answer"]


async def test_no_sources_give_no_files() -> None:
    async def read(source: Source) -> Fetched:
        raise AssertionError

    assert (await combine([], read)).files == {}
