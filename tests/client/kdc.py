"""A real Kerberos of this test run's own: MIT's key distribution centre as an ordinary process on loopback."""

import os
import shutil
import socket
import struct
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

PATIENCE = 60
REALM, PERSON, PASSWORD, SERVICE = "DESK.TEST", "ann", "a password of the tests", "HTTP/localhost"
_PROGRAMS = {
    name: shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    for name in ("krb5kdc", "kdb5_util", "kadmin.local", "kinit", "klist")
}


def wanted() -> None:
    """Tests of Kerberos run wherever `make test` could install MIT Kerberos; elsewhere they say what is missing."""
    pytest.importorskip(
        "gssapi", reason="the library gssapi is not installed: make test says why", exc_type=ImportError
    )
    missing = [name for name, place in _PROGRAMS.items() if place is None]
    if missing:
        pytest.skip(f"MIT Kerberos is not installed: there is no {', '.join(missing)}")


@dataclass(frozen=True)
class Kdc:
    """A running key distribution centre."""

    folder: Path
    port: int

    @property
    def keytab(self) -> Path:
        """The keys of the service HTTP/localhost."""
        return self.folder / "service.keytab"

    def environment(self, cache: str = "ann") -> dict[str, str]:
        """The variables of a person's desk; each cache of tickets has a name."""
        return {
            "KRB5_CONFIG": str(self.folder / "krb5.conf"),
            "KRB5_KDC_PROFILE": str(self.folder / "kdc.conf"),
            "KRB5CCNAME": f"FILE:{self.folder / cache}",
            "KRB5RCACHENAME": "none:",
        }

    def log_in(self, cache: str = "ann", *options: str) -> None:
        """Get a ticket for ann, as she does in the morning."""
        self.run("kinit", *options, f"{PERSON}@{REALM}", text=PASSWORD, cache=cache)

    def run(self, program: str, *arguments: str, text: str = "", cache: str = "ann") -> None:
        """Run one of MIT's programs."""
        done = subprocess.run(
            [str(_PROGRAMS[program]), *arguments],
            input=f"{text}\n",
            env={**os.environ, **self.environment(cache)},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, f"{program}: {done.stdout}{done.stderr}"

    def age(self, cache: str, seconds: int) -> None:
        """Make the tickets of a cache older, as the machine's own library reads them."""
        content = bytearray((self.folder / cache).read_bytes())
        now, aged = int(time.time()), 0
        for place in range(len(content) - 12):
            made, begins, ends = struct.unpack_from(">3I", content, place)
            if abs(made - now) < PATIENCE and begins in (0, made) and 0 < ends - made <= 10 * 3600:
                struct.pack_into(">3I", content, place, made - seconds, made - seconds, ends - seconds)
                aged += 1
        assert aged, "there is no ticket in the cache"
        (self.folder / cache).write_bytes(content)


@contextmanager
def running_kdc(folder: Path) -> Iterator[Kdc]:
    """Make a realm with a person and a service, and run it."""
    kdc, process = _started(folder)
    try:
        kdc.log_in()
        yield kdc
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _started(folder: Path) -> tuple[Kdc, "subprocess.Popen[bytes]"]:
    """Start on a free port; somebody else may take it first, then another one has to do."""
    for attempt in range(5):
        kdc = Kdc(folder, _free_port())
        (folder / "krb5.conf").write_text(_client_settings(kdc))
        (folder / "kdc.conf").write_text(_kdc_settings(kdc))
        if attempt == 0:
            _make_realm(kdc)
        process = subprocess.Popen(
            [str(_PROGRAMS["krb5kdc"]), "-n", "-r", REALM],
            env={**os.environ, **kdc.environment()},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        if _listens(process, kdc.port):
            return kdc, process
    raise AssertionError((folder / "kdc.log").read_text())


def _make_realm(kdc: Kdc) -> None:
    kdc.run("kdb5_util", "create", "-s", "-r", REALM, "-P", "a master password of the tests")
    for command in (
        f'addprinc -pw "{PASSWORD}" {PERSON}',
        f"addprinc -randkey {SERVICE}",
        f"ktadd -k {kdc.keytab} {SERVICE}",
    ):
        kdc.run("kadmin.local", "-r", REALM, "-q", command)


def set_variables(monkeypatch: pytest.MonkeyPatch, variables: Mapping[str, str]) -> None:
    """Put this process at a person's desk."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)


def _client_settings(kdc: Kdc) -> str:
    return f"""
[libdefaults]
    default_realm = {REALM}
    dns_lookup_kdc = false
    dns_lookup_realm = false
    dns_canonicalize_hostname = false
    rdns = false
    udp_preference_limit = 1
    max_retries = 1
[realms]
    {REALM} = {{
        kdc = 127.0.0.1:{kdc.port}
    }}
    ELSEWHERE.TEST = {{
        kdc = 127.0.0.1:1
    }}
[domain_realm]
    localhost = {REALM}
    elsewhere.test = ELSEWHERE.TEST
"""


def _kdc_settings(kdc: Kdc) -> str:
    return f"""
[kdcdefaults]
    kdc_listen = 127.0.0.1:{kdc.port}
    kdc_tcp_listen = 127.0.0.1:{kdc.port}
[realms]
    {REALM} = {{
        database_name = {kdc.folder / "principal"}
        key_stash_file = {kdc.folder / "stash"}
        max_life = 10h 0m 0s
    }}
[logging]
    kdc = FILE:{kdc.folder / "kdc.log"}
"""


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def _listens(process: "subprocess.Popen[bytes]", port: int) -> bool:
    """Wait until it takes connections; false when it ends instead."""
    until = time.monotonic() + PATIENCE
    while process.poll() is None:
        assert time.monotonic() < until, "the key distribution centre does not listen"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.01)
        else:
            return True
    return False
