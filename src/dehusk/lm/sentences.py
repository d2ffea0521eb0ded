"""Sentences: where they end, in scripts with and without spaces; abbreviations, initials and dates do not end them."""

import re
from collections.abc import Iterator
from typing import Final

Span = tuple[int, int]

# What may end a sentence, with closing quotes and brackets after it: in most scripts before white space, in scripts
# without spaces anywhere.
END: Final = re.compile(r"""[.!?…؟۔।]{1,9}["'”’»›)\]]{0,3}(?=\s)|[。！？｡]{1,9}[」』”’）】]{0,3}""")
# Abbreviations whose full stop does not end a sentence, in the languages of the shipped models.
ABBREVIATIONS: Final = frozenset(
    """
    abb abs adj adm admon al allg anm approx apr apto arch assn aufl aug av avda ave avr avv bd bde bibl bl bldg
    blvd boul bros bull bzgl bzw ca cap capt cd cf cfr ch chap cia cmdr co col coll comdr corp ct cía dcha dec dept
    dipl dist dott dptal dr dra dvs dña ebd ed eds egr ej eng env eq esp est etc ev evtl ex excmo exkl exmo fdo feb
    fig figs fls forts fr frk ft geb gen geom gest ggf godz gov hab hl hon hr hrsg ilmo inc incl ing inkl inż itd
    itp izda jan janv jfr jh jhd jr juil jul jun kap kl kr lfd lic lt ltd maj mar messrs mfl mgr milj mio mjr mlle
    mlles mm mme mmes mr mrd mrs ms mt nov np nr núm obs oct op osv pag pagg para pkt pol pp pres prof prov pt ptas
    pvt pág págs párr płk rd rer resp rev rys réf sec sen sep sept sgt sid sigg sog spett sr sra sras sres srs srta
    st std str suiv supt séc tab tav tel tex tj tr trad tys tzn tzw ud uds ul univ ur usw utg vda verl vgl viz vol
    vols vs wg woj zb ziff zob zzgl św
    """.split()  # noqa: SIM905  (a list of so many strings is hard to read)
)
NUMBERED: Final = frozenset({"no", "nos", "art", "nr"})  # also ordinary words, so that a number must follow
LOOK_BACK: Final = 24  # characters: no abbreviation is longer


def spans(text: str) -> Iterator[Span]:
    """Yield where each sentence begins and ends, without the white space around it; nothing else is lost.

    >>> text = 'Dr. Low met A. B. Reed at 5 p.m. on Monday. "Why?" he asked.  Nobody knew... 雨だ。帰ろう。'
    >>> [text[start:end] for start, end in spans(text)]
    ['Dr. Low met A. B. Reed at 5 p.m. on Monday.', '"Why?" he asked.', 'Nobody knew...', '雨だ。', '帰ろう。']
    """
    start = 0
    for stop in END.finditer(text):
        if _ends(text, stop.start(), stop.end()):
            if span := _trimmed(text, start, stop.end()):
                yield span
            start = stop.end()
    if span := _trimmed(text, start, len(text)):
        yield span


def split(text: str) -> list[str]:
    """Return the sentences of a text.

    >>> split("One. Two z. B. three.")
    ['One.', 'Two z. B. three.']
    """
    return [text[start:end] for start, end in spans(text)]


def _ends(text: str, stop: int, end: int) -> bool:
    """Return whether the stop between two positions ends a sentence."""
    if not text[stop].isascii() and text[stop] != "…":
        return True
    following = text[end : end + LOOK_BACK].lstrip().lstrip("\"'“”„‘’«»([¿¡-–—•")
    if following[:1].islower():
        return False
    if text[stop] != "." or text[stop:end] != ".":
        return True
    before = text[max(0, stop - LOOK_BACK) : stop]
    word = re.split(r"[\s(\[\"'“„«/]", before)[-1]
    letters = word.rpartition(".")[2]
    # Initials, p.m., z.B.; and 3. Oktober: sentences rarely end in a number of one or two digits.
    if (len(letters) == 1 and letters.isalpha()) or (len(word) <= 2 and word.isdigit()):
        return False
    numbered = following[:1].isdigit() and letters.lower() in NUMBERED
    return not numbered and letters.lower() not in ABBREVIATIONS


def _trimmed(text: str, start: int, end: int) -> Span | None:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None
