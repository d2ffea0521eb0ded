"""What PyPlexity's paper has in tables 2, 3, 4 and 6."""

from typing import Final

Row = tuple[float, ...]

CLASSES: Final = ("course", "department", "faculty", "project", "staff", "student", "other")
# Table 6: macro F1, then F1 of each class, first with tags removed, then by the bigram model of the BNC and 8K.
WEBKB: Final[dict[str, tuple[Row, Row]]] = {
    "BERT base": (
        (0.5818, 0.6765, 0.0942, 0.7676, 0.3914, 0.4594, 0.8160, 0.8678),
        (0.5832, 0.6407, 0.1083, 0.7555, 0.4327, 0.5425, 0.7492, 0.8534),
    ),
    "RoBERTa base": (
        (0.6109, 0.6948, 0.2190, 0.7589, 0.4183, 0.4753, 0.8230, 0.8875),
        (0.6350, 0.6980, 0.2917, 0.7553, 0.5444, 0.5425, 0.7957, 0.8911),
    ),
    "BERT large": (
        (0.4309, 0.4749, 0.2131, 0.5979, 0.2332, 0.2623, 0.6194, 0.6155),
        (0.5815, 0.6454, 0.1372, 0.7806, 0.4568, 0.4111, 0.7564, 0.8831),
    ),
    "RoBERTa large": (
        (0.6255, 0.7406, 0.1929, 0.7809, 0.4148, 0.5357, 0.8157, 0.8980),
        (0.6169, 0.6632, 0.1387, 0.7490, 0.4964, 0.5476, 0.8227, 0.9013),
    ),
}
# Tables 2 and 3: P@5, P@10, NDCG@10 and gigabytes of the index, by query likelihood over ClueWeb12-B13.
SEARCH: Final[dict[str, tuple[Row, Row]]] = {
    "TREC 2019 Decision Track": ((0.564, 0.546, 0.458, 382), (0.600, 0.568, 0.481, 93)),
    "TREC 2013 Web Track": ((0.236, 0.230, 0.154, 382), (0.268, 0.230, 0.163, 93)),
}
# Table 4: hours for the index, and for 10,000 searches.
HOURS: Final[tuple[Row, Row]] = ((3.41, 125.42), (1.03, 64.19))
# Table 2: the index after the cut-off of 8K, in per cent of the one without.
INDEX_SHARE: Final = 100 * 93 / 382
