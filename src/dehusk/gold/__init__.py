"""Gold: pages with gold text, how it aligns with blocks, and which pages are kept for measuring."""
