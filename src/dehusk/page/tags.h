/* The loops of tags.pyx. Strings have characters of one, two or four bytes; each loop is written once for all three. */

#include <string.h>

typedef struct {
    long long tags, ends, repeated, link, widest; /* counts; bytes */
    Py_ssize_t characters_read;                   /* of attributes */
} dehusk_formatting;

static int dehusk_is_space(Py_UCS4 c) { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'; }

/* Whether some formatting tag has a name of this length that begins so. */
static int dehusk_may_be_formatting(Py_UCS4 first, Py_ssize_t length)
{
    Py_UCS4 c = first | 32;
    switch (length) {
    case 1: return c == 'a' || c == 'b' || c == 'i' || c == 's' || c == 'u';
    case 2: return c == 'e' || c == 't';
    case 3: return c == 'b';
    case 4: return c == 'c' || c == 'f' || c == 'n';
    case 5: case 6: return c == 's';
    }
    return 0;
}

#define DEHUSK_LONGEST_NAME 6
#define DEHUSK_MOST_READ 2
#define DEHUSK_TOO_MUCH 1000000000000 /* bytes */

#define DEHUSK_LOOPS(CHAR)                                                                                            \
/* memchr looks at bytes, far faster than any loop; what it finds may be part of another character. */                \
static Py_ssize_t dehusk_find_##CHAR(const CHAR *d, Py_ssize_t at, Py_ssize_t n, char sought)                         \
{                                                                                                                     \
    const char *from = (const char *)(d + at), *end = (const char *)(d + n), *hit;                                    \
    while (from < end && (hit = memchr(from, sought, end - from))) {                                                  \
        Py_ssize_t i = (hit - (const char *)d) / (Py_ssize_t)sizeof(CHAR);                                            \
        if (d[i] == (CHAR)sought)                                                                                     \
            return i;                                                                                                 \
        from = (const char *)(d + i + 1);                                                                             \
    }                                                                                                                 \
    return n;                                                                                                         \
}                                                                                                                     \
                                                                                                                      \
/* The attributes of a tag whose name ends at `at`, as the WHATWG's tokenizer reads them. */                          \
static long long dehusk_attributes_##CHAR(const CHAR *d, Py_ssize_t at, Py_ssize_t n, Py_ssize_t *read)               \
{                                                                                                                     \
    long long count = 0;                                                                                              \
    Py_ssize_t start = at;                                                                                            \
    while (at < n && d[at] != '>') {                                                                                  \
        Py_ssize_t value;                                                                                             \
        if (dehusk_is_space(d[at]) || d[at] == '/') { at++; continue; }                                               \
        count++;                                                                                                      \
        for (at++; at < n && !dehusk_is_space(d[at]) && d[at] != '/' && d[at] != '>' && d[at] != '='; at++) {}        \
        for (value = at; value < n && dehusk_is_space(d[value]); value++) {}                                          \
        if (value == n || d[value] != '=') continue;                                                                  \
        for (value++; value < n && dehusk_is_space(d[value]); value++) {}                                             \
        if (value < n && (d[value] == '"' || d[value] == '\'')) {                                                     \
            CHAR quote = d[value];                                                                                    \
            value = dehusk_find_##CHAR(d, value + 1, n, (char)quote);                                                 \
            at = value < n ? value + 1 : n;                                                                           \
        } else {                                                                                                      \
            for (; value < n && !dehusk_is_space(d[value]) && d[value] != '>'; value++) {}                            \
            at = value;                                                                                               \
        }                                                                                                             \
    }                                                                                                                 \
    *read += at - start;                                                                                              \
    return count;                                                                                                     \
}                                                                                                                     \
                                                                                                                      \
static void dehusk_count_##CHAR(const CHAR *d, Py_ssize_t n, long long element, long long attribute,                  \
                                dehusk_formatting *found)                                                             \
{                                                                                                                     \
    Py_ssize_t at, start, end, closes;                                                                                \
    for (at = dehusk_find_##CHAR(d, 0, n, '<'); at < n && found->characters_read <= DEHUSK_MOST_READ * n;             \
         at = dehusk_find_##CHAR(d, start, n, '<')) {                                                                 \
        found->tags++;                                                                                                \
        closes = at + 1 < n && d[at + 1] == '/';                                                                      \
        start = at + 1 + closes;                                                                                      \
        for (end = start; end < n && end - start <= DEHUSK_LONGEST_NAME && !dehusk_is_space(d[end]) &&                \
                          d[end] != '/' && d[end] != '>'; end++) {}                                                   \
        if (start < n && dehusk_may_be_formatting(d[start], end - start)) {                                           \
            if (closes)                                                                                               \
                found->ends++;                                                                                        \
            else {                                                                                                    \
                long long cost = element + attribute * dehusk_attributes_##CHAR(d, end, n, &found->characters_read);  \
                if (cost > found->widest) found->widest = cost;                                                       \
                if (end - start == 1 && (d[start] | 32) == 'a') {                                                     \
                    if (cost > found->link) found->link = cost;                                                       \
                    found->ends++;                                                                                    \
                } else {                                                                                              \
                    found->repeated += cost;                                                                          \
                    /* nobr, where all may be repeated before and after the one that it ends */                       \
                    found->tags += end - start == 4 && (d[start] | 32) == 'n';                                        \
                }                                                                                                     \
            }                                                                                                         \
        }                                                                                                             \
    }                                                                                                                 \
    /* Tags within tags within tags: reading each to its end would take for ever, so it counts as too much. */        \
    if (found->characters_read > DEHUSK_MOST_READ * n)                                                                \
        found->repeated += DEHUSK_TOO_MUCH;                                                                           \
}

DEHUSK_LOOPS(Py_UCS1)
DEHUSK_LOOPS(Py_UCS2)
DEHUSK_LOOPS(Py_UCS4)

static void dehusk_count(PyObject *html, long long element, long long attribute, dehusk_formatting *found)
{
    Py_ssize_t n = PyUnicode_GET_LENGTH(html);
    switch (PyUnicode_KIND(html)) {
    case PyUnicode_1BYTE_KIND: dehusk_count_Py_UCS1(PyUnicode_1BYTE_DATA(html), n, element, attribute, found); break;
    case PyUnicode_2BYTE_KIND: dehusk_count_Py_UCS2(PyUnicode_2BYTE_DATA(html), n, element, attribute, found); break;
    default: dehusk_count_Py_UCS4(PyUnicode_4BYTE_DATA(html), n, element, attribute, found);
    }
}
