"""Settings and EarlySettings hold what they should and cannot be changed."""

import subprocess
import sys

import pytest
from pydantic import ValidationError

from rostrum.settings.catalogue import catalogue, declarations
from rostrum.settings.settings import EarlySettings, Settings


@pytest.mark.rule("R-2.8-8")
def test_early_settings_are_the_local_only_ones_and_what_the_splash_shows() -> None:
    early = {path for path, one in declarations(EarlySettings).items() if not one.container}
    local = {path for path, one in catalogue().items() if one.local_only and not one.container}
    # Updates begin after the start.
    late = {path for path in local if path.startswith("autoUpdater.")}
    assert early == (local - late) | {"build", "uiVersion"}


def test_both_describe_a_setting_in_the_same_way() -> None:
    for path, one in declarations(EarlySettings).items():
        assert catalogue()[path] == one


def test_settings_cannot_be_changed() -> None:
    settings = Settings()
    with pytest.raises(ValidationError):
        settings.env = "PROD"  # type: ignore[misc]  # the test is that this fails


def test_merging_does_not_load_the_sections() -> None:
    heavy = "[name for name in sys.modules if 'sections' in name or 'pydantic' in name]"
    code = f"import sys, rostrum.settings.merge; print({heavy})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
