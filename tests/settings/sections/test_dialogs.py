"""dialogs: the questions the platform asks."""

import pytest

from tests.settings.reading import in_force


@pytest.mark.rule("R-2.15-12")
def test_of_the_built_in_questions_only_the_one_about_layouts_is_off() -> None:
    assert in_force("dialogs.enableDefaultDialogs") == {
        "preventShutdown": True,
        "preventWindowClose": True,
        "unsavedLayoutChanges": False,
    }
