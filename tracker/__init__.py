"""From detections over time to table events, and from events to deals. Imports nothing heavy by itself."""
