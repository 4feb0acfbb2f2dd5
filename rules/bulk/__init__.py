"""Many written deals at once. Nothing is imported here: it needs numpy, which ``rules`` does without."""
