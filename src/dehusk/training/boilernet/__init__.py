"""boilernet's training: pages with labelled text nodes or gold text, packed, and networks fitted to them.

examples    a page's text nodes: their tags, their words, what people say of them
packed      many pages as columns, in one file that travels to the machine with the GPU
inputs      the vocabulary of some pages, and all pages in its terms
recipe      what a network and its training can be told
net         everything that needs torch
tuning      the threshold, and figures by leaf and by word
export      a folder with the networks and what is known of them
"""
