"""Ending a connection whose other end does not read."""

import socket

import pytest

from rostrum.manager.events.routes import cut_off


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_the_connection_to_an_address_is_shut_down_and_no_other(host: str) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as listener:
        listener.bind((host, 0))
        listener.listen()
        with socket.create_connection(listener.getsockname()[:2]) as one:
            there, peer = listener.accept()
            with there, socket.create_connection(listener.getsockname()[:2]) as other:
                other_there, _ = listener.accept()
                with other_there:
                    assert cut_off(peer[:2])
                    one.settimeout(10)
                    assert one.recv(1) == b""
                    other_there.sendall(b"x")
                    assert other.recv(1) == b"x"
                    assert not cut_off((host, 1))
