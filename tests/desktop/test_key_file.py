"""With what the commands of the same person join the gateway of a running platform."""

import os
import stat
from pathlib import Path

import pytest

from rostrum.desktop.errors import NotReachable
from rostrum.desktop.key_file import Key, KeyFile
from rostrum.gateway import CallFailed
from rostrum.gateway.remote import connected
from tests.desktop.test_platform import Desk

KEY = Key(address="ws://127.0.0.1:1", user="ann", secret="hush")


async def test_only_users_who_can_read_the_key_file_can_connect_to_a_running_platform(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "desk")
    async with desk.running() as platform:
        folder = desk.root / "UserData"
        assert stat.S_IMODE((folder / "key.json").stat().st_mode) == 0o600
        key = KeyFile(folder).read()
        assert (key.address, key.user) == (platform.gateway.address, "ann")
        assert key.secret not in repr(key)
        others = [one for one in folder.rglob("*") if one.is_file() and one.name != "key.json"]
        assert (folder / "status.json") in others
        assert not any(key.secret.encode() in one.read_bytes() for one in others)
        async with connected(key.address, login=key.user, secret=key.secret, application="terminal") as peer:
            await peer.join("agm")
            assert (await peer.methods.call("Rostrum.Platform.Status"))["user"] == "ann"
        with pytest.raises(CallFailed, match="is wrong"):
            async with connected(key.address, login=key.user, secret="guessed", application="terminal"):
                pass
    assert not (folder / "key.json").exists()


def test_why_there_is_no_key_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = KeyFile(tmp_path)
    with pytest.raises(NotReachable, match="still starting"):
        file.read()
    file.write(KEY)
    assert file.read() == KEY
    with monkeypatch.context() as patched:
        patched.setattr(os, "geteuid", lambda: os.getuid() + 4711)
        with pytest.raises(NotReachable, match="another user"):
            file.read()
    for damaged in (b"{", b"[]", b'{"address": 1}', b"\xff", b""):
        (tmp_path / "key.json").write_bytes(damaged)
        with pytest.raises(NotReachable, match="damaged"):
            file.read()
    file.remove()
    (tmp_path / "key.json").mkdir()
    with pytest.raises(NotReachable, match="another user"):
        file.read()


def test_a_key_that_cannot_be_written_stops_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    KeyFile(tmp_path / "file").write(KEY)
    assert "commands will not find this platform" in caplog.text
    assert KEY.secret not in caplog.text
