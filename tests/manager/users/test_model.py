"""Users: the text of their body, copies with changes, and what is never shown."""

import json
from datetime import UTC, datetime

from rostrum.manager.document import Stamp, body_text
from rostrum.manager.users.model import User

NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)
STAMP = Stamp(revision=3, created=NOW, created_by="admin", modified=NOW, modified_by="admin")
ANN = User(id="ann", email="a@b.c", groups=("b", "a"), apps=("x",), password_hash="argon2-secret", stamp=STAMP)


def test_the_body_has_the_same_members_as_text_and_as_values() -> None:
    named = User(id="bob", display_name="Bob", service=True, stamp=STAMP)
    for user in (ANN, named):
        assert json.loads(body_text(user)) == user.members()
    # Revisions from before members were added must stay equal to users without them.
    assert list(ANN.members()) == ["id", "email", "groups", "apps", "layouts", "disabled"]
    assert ANN.members()["groups"] == ["a", "b"]
    assert (named.members()["displayName"], named.members()["service"]) == ("Bob", True)


def test_the_password_hash_is_never_shown() -> None:
    assert "argon2-secret" not in repr(ANN) + str(ANN) + body_text(ANN)
    assert "id='ann'" in repr(ANN)


def test_changes_keep_everything_else() -> None:
    disabled = ANN.with_changes(disabled=True, disabled_since=NOW, epoch=9)
    assert (disabled.disabled_since, disabled.epoch, disabled.groups) == (NOW, 9, ("b", "a"))
    assert disabled.with_changes(groups=()).disabled_since == NOW
    assert disabled.with_changes(disabled=False).disabled_since is None
    assert ANN.with_changes(email=None).email is None
    assert ANN.with_changes() == ANN
