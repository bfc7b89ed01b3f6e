from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rostrum.manager.access.reasons import (
    Because,
    DefaultLayout,
    Obstacle,
    Reason,
    Verdict,
    Viewer,
    default_layout,
    evaluate_app,
    evaluate_layouts,
)

GROUPS = ("Desk", "Floor", "Pilot")


@dataclass(frozen=True)
class App:
    name: str = "blotter"
    public: bool = False
    access: tuple[str, ...] = ()
    disabled: bool = False


@dataclass(frozen=True)
class Layout:
    id: str
    name: str = "Morning"
    type: str = "Global"
    owner: str = "*"
    public: bool = False
    access: tuple[str, ...] = ()
    default: bool = False
    disabled: bool = False
    created: datetime = datetime(2026, 1, 1, tzinfo=UTC)


ANN = Viewer(user="ann", groups=frozenset({"Desk", "Floor"}), apps=("blotter",), layouts=("1",))

some_groups = st.lists(st.sampled_from(GROUPS), unique=True).map(tuple)
apps = st.builds(App, st.sampled_from(["blotter", "chart"]), st.booleans(), some_groups, st.booleans())
layouts = st.lists(
    st.builds(
        Layout,
        st.sampled_from("123456"),
        st.sampled_from(["Morning", "Evening"]),
        st.sampled_from(["Global", "Workspace"]),
        st.sampled_from(["*", "ann", "bob"]),
        st.booleans(),
        some_groups,
        st.booleans(),
        st.booleans(),
    ),
    unique_by=(lambda layout: layout.id, lambda layout: (layout.owner, layout.type, layout.name)),
    max_size=6,
)
viewers = st.builds(
    lambda groups, own, disabled: Viewer(
        user="ann", groups=frozenset(groups), apps=own, layouts=own, disabled=disabled
    ),
    some_groups,
    st.lists(st.sampled_from(["blotter", "1", "2"])),
    st.booleans(),
)


def test_every_reason_is_reported_the_strongest_first() -> None:
    verdict = evaluate_app(ANN, App(public=True, access=("Pilot", "Floor", "Desk")))

    assert verdict.visible
    assert verdict.reasons == (
        Reason(Because.PUBLIC),
        Reason(Because.LIST),
        Reason(Because.GROUP, "Floor"),
        Reason(Because.GROUP, "Desk"),
    )


def test_what_is_in_the_way_is_reported_with_what_would_speak_for_it() -> None:
    assert evaluate_app(ANN, App("chart", access=("Pilot",))) == Verdict((), Obstacle.NOT_SHARED)
    assert evaluate_app(ANN, App(disabled=True)) == Verdict((Reason(Because.LIST),), Obstacle.DISABLED)
    gone = Viewer(user="ann", apps=("blotter",), disabled=True)
    assert evaluate_app(gone, App(disabled=True)) == Verdict((Reason(Because.LIST),), Obstacle.USER_DISABLED)


def test_an_own_layout_hides_others_of_its_type_and_name() -> None:
    own, shared, other = Layout("9", owner="ann"), Layout("1", public=True), Layout("2", type="Workspace", public=True)

    judged = dict(evaluate_layouts(ANN, [shared, other, own]))

    assert judged[own] == Verdict((Reason(Because.OWNER),), None)
    assert judged[shared] == Verdict((Reason(Because.PUBLIC), Reason(Because.LIST)), Obstacle.HIDDEN, "9")
    assert judged[other].visible


def test_of_shared_layouts_with_the_same_type_and_name_the_oldest_is_seen() -> None:
    older = Layout("9", public=True)
    newer = replace(older, id="2", created=older.created + timedelta(days=1))

    judged = dict(evaluate_layouts(ANN, [newer, older]))

    assert judged[older].visible
    assert judged[newer].hidden_by == "9"


def test_the_default_is_the_chosen_layout_or_the_first_flagged_one_the_user_gets() -> None:
    flagged, hidden = Layout("3", "Start", public=True, default=True), Layout("4", "Old", default=True)
    judged = evaluate_layouts(ANN, [Layout("1"), hidden, flagged])

    assert default_layout(judged, ("Global", "Morning")) == DefaultLayout("Global", "Morning", is_chosen=True)
    assert default_layout(judged, ("Global", "Gone")) == DefaultLayout("Global", "Start", is_chosen=False)
    assert default_layout(judged[:0], None) is None


@given(viewers, apps)
def test_an_app_is_seen_by_the_rule_in_one_line(viewer: Viewer, app: App) -> None:
    shared = app.public or app.name in viewer.apps or bool(set(app.access) & set(viewer.groups))

    verdict = evaluate_app(viewer, app)

    assert verdict.visible == (shared and not app.disabled and not viewer.disabled)
    assert bool(verdict.reasons) == shared


@pytest.mark.long
@given(viewers, layouts)
def test_of_each_type_and_name_one_layout_is_seen_if_any_may_be(viewer: Viewer, found: list[Layout]) -> None:
    judged = evaluate_layouts(viewer, found)
    seen = [layout for layout, verdict in judged if verdict.visible]
    may = [layout for layout, verdict in judged if verdict.obstacle in (None, Obstacle.HIDDEN)]

    assert sorted(layout.id for layout, _ in judged) == sorted(layout.id for layout in found)
    assert len({(layout.type, layout.name) for layout in seen}) == len(seen)
    assert {(layout.type, layout.name) for layout in seen} == {(layout.type, layout.name) for layout in may}
    for layout in found:
        shared = layout.public or layout.id in viewer.layouts or bool(set(layout.access) & set(viewer.groups))
        allowed = (shared or layout.owner == "ann") and not layout.disabled and not viewer.disabled
        assert allowed == (layout in may)
        if allowed and layout.owner == "ann":
            assert layout in seen
