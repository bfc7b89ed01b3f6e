"""The health check of the image: asks the manager in this container whether it is alive, with or without TLS.

It uses only the standard library and never a proxy. The exit code is 0 if the manager is alive.
"""

import http.client
import ssl
import sys

HOST, PORT, PATH = "127.0.0.1", 4356, "/api/health/live"
TIMEOUT = 2


def is_alive(manager: http.client.HTTPConnection) -> bool:
    """Return whether the manager reports that it is alive."""
    try:
        manager.request("GET", PATH)
        return manager.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False


def unverified() -> ssl.SSLContext:
    """Return a context for a certificate that contains the public name of the manager instead of this address."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


if __name__ == "__main__":
    alive = is_alive(http.client.HTTPConnection(HOST, PORT, timeout=TIMEOUT)) or is_alive(
        http.client.HTTPSConnection(HOST, PORT, timeout=TIMEOUT, context=unverified())
    )
    sys.exit(not alive)
