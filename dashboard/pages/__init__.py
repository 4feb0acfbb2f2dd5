"""The views, one blueprint per file."""
