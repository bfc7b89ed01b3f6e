"""Automatic updates of installer builds: feeds, signatures, downloads, and the switch to the new version."""
