"""Training: labels from gold text, and one fit per method."""
