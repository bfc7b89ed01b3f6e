"""Reads crash reports: the summary of a minidump, and the signature of the cause."""
