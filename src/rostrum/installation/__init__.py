"""Installer builds: the versions on disk, which of them starts, and the switch to a version and its rollback.

The installer runs these modules from its own file before anything is unpacked, and the launcher runs without any
version. They therefore use the standard library and pure Python modules of ``rostrum.base`` only.
"""
