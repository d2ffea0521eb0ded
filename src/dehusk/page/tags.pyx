"""Tags: the formatting tags of a page, counted in one pass over its markup.

The loops are in tags.h. Where they cannot be compiled, `fast_formatting` does the same.
"""

cdef extern from "tags.h":
    ctypedef struct dehusk_formatting:
        long long tags, ends, repeated, link, widest
        Py_ssize_t characters_read
    void dehusk_count(str html, long long element, long long attribute, dehusk_formatting *found)


def count_formatting(str html not None, long long element_bytes, long long attribute_bytes):
    """Return how many tags there are, of which end formatting, and what formatting takes if it were never closed.

    That is three numbers of bytes: for all of it but links, for the largest link, and for the largest tag.
    """
    cdef dehusk_formatting found
    found.tags = found.ends = found.repeated = found.link = found.widest = 0
    found.characters_read = 0
    dehusk_count(html, element_bytes, attribute_bytes, &found)
    return found.tags, found.ends, found.repeated, found.link, found.widest
