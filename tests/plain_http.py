"""HTTP clients of servers on loopback that speak no TLS."""

import ssl

NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For the argument `verify`: it trusts nobody. Without it, each client reads all trusted certificates, for 50 ms."""
