"""Methods: the ways to cut a page into blocks and to score them, one file or folder each."""
