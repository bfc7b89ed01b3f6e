"""The state of groups and collapsed windows that a restarted window process receives."""

from rostrum.desktop.hosts.journal import Journal
from rostrum.desktop.hosts.port import Opened, WindowRequest
from rostrum.desktop.hosts.reports import Moved, ProgramWindowChanged, StateChanged
from rostrum.desktop.windows.geometry import Bounds
from rostrum.desktop.windows.groups import BACKGROUND, GroupDrawing

A, B, C = Bounds(0, 0, 100, 100), Bounds(104, 0, 100, 100), Bounds(0, 104, 100, 100)
HOLE = Bounds(100, 100, 104, 104)


def test_a_group_that_a_person_has_moved_is_drawn_where_it_is_now() -> None:
    journal = Journal()
    drawing = GroupDrawing(
        id="g",
        type="Web",
        bounds=Bounds(0, 0, 204, 204),
        windows={"a": A, "b": B, "c": C},
        filled=(HOLE,),
        background=BACKGROUND,
        header=None,
        system_buttons=False,
    )
    for name, bounds in drawing.windows.items():
        journal.command(
            "open_window", (WindowRequest(instance=name, kind="window", title="", details={}, bounds=bounds),)
        )
    journal.command("show_group", (drawing,))
    for name, bounds in drawing.windows.items():
        moved = Bounds(bounds.left + 50, bounds.top + 10, bounds.width, bounds.height)
        journal.report(Moved(instance=name, bounds=moved))

    (again,) = [args[0] for op, args in journal.steps() if op == "show_group"]

    assert again.windows == {
        "a": Bounds(50, 10, 100, 100),
        "b": Bounds(154, 10, 100, 100),
        "c": Bounds(50, 114, 100, 100),
    }
    assert again.bounds == Bounds(50, 10, 204, 204)
    assert all(one.left >= 50 and one.top >= 10 for one in again.filled)
    assert again.id == "g"


def test_a_collapsed_window_is_opened_again_with_the_height_to_which_it_expands() -> None:
    journal, bar = Journal(), Bounds(0, 0, 100, 30)
    journal.command("open_window", (WindowRequest(instance="a", kind="window", title="", details={}, bounds=A),))
    for report in (StateChanged(instance="a", state="collapsed"), Moved(instance="a", bounds=bar)):
        journal.report(report)
    for _ in range(2):
        (again,) = [args[0] for op, args in journal.steps() if op == "open_window"]
        assert (again.bounds, again.state) == (A, "collapsed")
        # The next window process has opened it, too.
        journal.opened("a", Opened(bounds=bar, state="collapsed"))
    assert journal.bounds("a") == bar
    journal.report(StateChanged(instance="a", state="normal"))
    journal.report(Moved(instance="a", bounds=A))
    (last,) = [args[0] for op, args in journal.steps() if op == "open_window"]
    assert (last.bounds, last.state) == (A, "normal")


def test_the_window_of_a_program_is_adopted_again_before_its_group_is_drawn_until_it_is_gone() -> None:
    journal = Journal()

    def steps() -> list[str]:
        return [op for op, _ in journal.steps()]

    def adopt() -> None:
        journal.command("adopt_window", ("p", 1))
        journal.done("adopt_window", ("p", 1), A)

    adopt()
    group = GroupDrawing(
        id="g",
        type="Classic",
        bounds=A,
        windows={"p": A},
        filled=(),
        background=BACKGROUND,
        header=None,
        system_buttons=False,
    )
    journal.command("show_group", (group,))
    journal.report(Moved(instance="p", bounds=B))
    assert (steps(), journal.bounds("p")) == (["adopt_window", "move_window", "show_group"], B)
    assert [args for op, args in journal.steps() if op == "move_window"] == [("p", B)]
    assert [args[0].windows for op, args in journal.steps() if op == "show_group"] == [{"p": B}]
    journal.report(ProgramWindowChanged(instance="p", bounds=None))
    assert (steps(), journal.bounds("p")) == (["show_group"], None)
    adopt()
    journal.command("forget_program", ("p",))
    assert (steps(), journal.bounds("p")) == (["show_group"], None)
    journal.command("adopt_window", ("p", 1))
    journal.failed("adopt_window", ("p", 1))
    assert (steps(), journal.bounds("p")) == (["show_group"], None)


def test_the_channels_of_a_program_are_shown_again_until_it_is_forgotten() -> None:
    journal = Journal()
    journal.command("follow_program", ("p", 1, None, None))
    journal.command("set_channel", ("p", ("Red",), ()))
    journal.command("show_selector", ("p", 1, None))
    journal.command("set_channel", ("p", ("Blue",), ()))
    journal.command("set_channel", ("other", ("Red",), ()))

    assert [*journal.steps()] == [
        ("follow_program", ("p", 1, None, None)),
        ("show_selector", ("p", 1, None)),
        ("set_channel", ("p", ("Blue",), ())),
    ]
    for op in ("hide_selector", "forget_program"):
        journal.command(op, ("p",))
    assert [*journal.steps()] == []
