"""TLS contexts that HTTP clients share: loading the certificates of the machine takes longer than a request."""

import ssl
from functools import cache


@cache
def tls_context(*, verify: bool) -> ssl.SSLContext:
    """Return the context that checks certificates, or accepts any of them."""
    import httpx

    return httpx.create_ssl_context(verify=verify)


def tls_context_for(address: str, *, verify: bool = True) -> ssl.SSLContext:
    """Return the context for a client that only uses this address; no certificates are loaded for plain HTTP."""
    return _trusting_nobody() if address.lower().startswith("http://") else tls_context(verify=verify)


@cache
def _trusting_nobody() -> ssl.SSLContext:
    # If a client used it for TLS by mistake, every connection would fail.
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
