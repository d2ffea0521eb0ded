"""Months: their names and abbreviations in many languages, as people write them in dates."""

from collections import Counter, defaultdict
from typing import Final
from unicodedata import combining, normalize

# Each month's name, and after a bar the form that it takes in a date where that differs.
# fmt: off
NAMES: Final = {
    "en": "january february march april may june july august september october november december",
    "de": "januar|jänner februar|feber märz|maerz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "ca": "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
    "nl": "januari februari maart|mrt april mei juni juli augustus september oktober november december",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "da": "januar februar marts april maj juni juli august september oktober november december",
    "no": "januar februar mars april mai juni juli august september oktober november desember",
    "fi": "tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu",
    "pl": "styczeń|stycznia luty|lutego marzec|marca kwiecień|kwietnia maj|maja czerwiec|czerwca lipiec|lipca "
          "sierpień|sierpnia wrzesień|września październik|października listopad|listopada grudzień|grudnia",
    "cs": "leden|ledna únor|února březen|března duben|dubna květen|května červen|června červenec|července "
          "srpen|srpna září říjen|října listopad|listopadu prosinec|prosince",
    "ru": "январь|января февраль|февраля март|марта апрель|апреля май|мая июнь|июня июль|июля август|августа "
          "сентябрь|сентября октябрь|октября ноябрь|ноября декабрь|декабря",
    "uk": "січень|січня лютий|лютого березень|березня квітень|квітня травень|травня червень|червня липень|липня "
          "серпень|серпня вересень|вересня жовтень|жовтня листопад|листопада грудень|грудня",
    "el": "ιανουάριος|ιανουαρίου φεβρουάριος|φεβρουαρίου μάρτιος|μαρτίου απρίλιος|απριλίου μάιος|μαΐου "
          "ιούνιος|ιουνίου ιούλιος|ιουλίου αύγουστος|αυγούστου σεπτέμβριος|σεπτεμβρίου οκτώβριος|οκτωβρίου "
          "νοέμβριος|νοεμβρίου δεκέμβριος|δεκεμβρίου",
    "tr": "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "ro": "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
    "hu": "január február március április május június július augusztus szeptember október november december",
    "ar": "يناير|جانفي فبراير|فيفري مارس أبريل|أفريل مايو|ماي يونيو|جوان يوليو|جويلية أغسطس|أوت "
          "سبتمبر أكتوبر نوفمبر ديسمبر",
    "id": "januari februari maret april mei juni juli agustus september oktober november desember",
}
# fmt: on


def month(name: str) -> int | None:
    """Return the number of the month that a word names, in whatever language; None for other words.

    >>> month("März"), month("Sept"), month("stycznia"), month("Marketing")
    (3, 9, 1, None)
    >>> month("mar"), month("jui")
    (3, None)
    """
    return MONTHS.get(name.lower() if name.isascii() else plain(name))


def plain(word: str) -> str:
    """Return a word in lower case and without accents, as many write it."""
    return "".join(letter for letter in normalize("NFD", word.casefold()) if not combining(letter))


def _months() -> dict[str, int]:
    """Return the number of each name, and of its first three and four letters where most languages agree on them."""
    whole: dict[str, int] = {}
    short: dict[str, Counter[int]] = defaultdict(Counter)
    for names in NAMES.values():
        for number, forms in enumerate(names.split(), start=1):
            for name in map(plain, forms.split("|")):
                whole[name] = number
                for length in (3, 4):
                    short[name[:length]][number] += 1
                # Finnish dates have the partitive.
                if name.endswith("kuu"):
                    whole[name + "ta"] = number
    return {start: found for start, numbers in short.items() if (found := _agreed(numbers))} | whole


def _agreed(numbers: Counter[int]) -> int | None:
    (first, most), *others = numbers.most_common(2)
    return first if not others or most > others[0][1] else None


MONTHS: Final = _months()
