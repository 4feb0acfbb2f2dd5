"""Klaverjas as its rules say it. No I/O, no clock, no logging here: see README.md in this folder."""
