"""Training ncleaner: pages with gold become segments, segments counts of n-grams, counts a table of bits."""
