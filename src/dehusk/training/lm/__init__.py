"""Training of language models: count, weigh, prune and write. Memory stays bounded, whatever the amount of text."""
