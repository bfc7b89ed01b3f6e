"""Peers inside this process: the gateway without a socket."""
