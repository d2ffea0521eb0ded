"""Gold: pages with gold text, how it aligns with blocks, and which pages are kept for measuring.

corpora.py         the sets, their parts, and which pages may be trained on
pages.py           a page with gold, and the known defects of single pages
readers.py         JSON lines and folders of files → pages
yardstick.py       which site a page is from, and which sites are kept for measuring
alignment.py       gold text → the share of each block that is wanted
word_sequences.py  texts as sequences of words, and the longest subsequence two of them share
"""
