"""Crash reports."""
