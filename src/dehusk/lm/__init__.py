"""Language models: how likely words are after other words, counted once and looked up in bulk."""
