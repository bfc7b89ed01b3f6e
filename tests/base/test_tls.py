"""TLS contexts: certificates are loaded once, and not for plain HTTP."""

import ssl

import pytest

from rostrum.base.tls import tls_context, tls_context_for


@pytest.mark.parametrize("address", ["https://manager.example.com/api", "HTTPS://x", " http://x", "httpx://x", ""])
def test_certificates_are_checked_for_every_address_but_plain_http(address: str) -> None:
    context = tls_context_for(address)

    assert context is tls_context(verify=True)
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
    assert context.cert_store_stats()["x509_ca"] > 0
    assert tls_context_for(address, verify=False).verify_mode is ssl.CERT_NONE


@pytest.mark.parametrize("address", ["http://127.0.0.1:4356/api", "HTTP://x"])
@pytest.mark.parametrize("verify", [True, False])
def test_the_context_for_plain_http_trusts_nobody(address: str, verify: bool) -> None:
    context = tls_context_for(address, verify=verify)

    assert context is tls_context_for("http://other.example.com")
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.cert_store_stats()["x509_ca"] == 0
