"""The whole line at once: pictures in, scores out."""
