"""Common parts of crash reports and feedback."""
