import pytest

from rostrum.settings.kinds import Kind, kind_of


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("system.json", Kind.SYSTEM),
        ("System-PROD-EMEA.json", Kind.SYSTEM),
        ("gilding-dev-us.json", Kind.GILDING),
        ("env.json", Kind.ENV),
        ("ENV.JSON", Kind.ENV),
        ("env-PROD.json", None),
        ("systems.json", None),
        ("themes.json", None),
    ],
)
def test_a_file_is_known_by_its_name(name: str, kind: Kind | None) -> None:
    assert kind_of(name) is kind
