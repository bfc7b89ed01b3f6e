import pytest

from rostrum.settings.kinds import SettingsFile, kind_of


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("system.json", SettingsFile.SYSTEM),
        ("System-PROD-EMEA.json", SettingsFile.SYSTEM),
        ("gilding-dev-us.json", SettingsFile.GILDING),
        ("env.json", SettingsFile.ENV),
        ("ENV.JSON", SettingsFile.ENV),
        ("env-PROD.json", None),
        ("systems.json", None),
        ("themes.json", None),
    ],
)
def test_a_file_is_known_by_its_name(name: str, kind: SettingsFile | None) -> None:
    assert kind_of(name) is kind
