"""fiasco: subtrees of the page, judged by what they say, how they are built and how they look.

Bauer et al.: FIASCO: Filtering the Internet by Automatic Subtree Classification, Osnabrück. WAC3, 2007.
"""
