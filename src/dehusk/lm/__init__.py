"""Language models: how likely words are after other words, from tables of n-grams."""
