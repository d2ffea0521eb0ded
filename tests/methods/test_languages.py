"""Short articles in six languages and six scripts, each between a menu and a footer, which the kernel drops."""

import pytest

from dehusk import Document, extract
from dehusk.blocks import cut
from dehusk.methods.kernel import Kernel
from dehusk.page import Page

# Per language: the menu, the title, the paragraphs and the footer.
ARTICLES: dict[str, tuple[list[str], str, list[str], str]] = {
    "German": (
        ["Startseite", "Nachrichten", "Sport", "Kontakt"],
        "Die alte Mühle mahlt wieder",
        [
            "Nach vier Jahren Arbeit hat der Verein die Wassermühle im Tal wieder in Gang gebracht. Am Sonntag kamen "
            "mehr als zweihundert Besucher, um das Rad laufen zu sehen.",
            "Der Müller, der früher Lehrer war, erklärte den Kindern, wie aus Korn Mehl wird. Das erste Brot war, so "
            "sagte er, etwas zu dunkel geraten, aber es schmeckte allen.",
        ],
        "© 2026 Talbote. Alle Rechte vorbehalten.",
    ),
    "Greek": (
        ["Αρχική", "Ειδήσεις", "Αθλητικά", "Επικοινωνία"],
        "Ο παλιός μύλος αλέθει ξανά",
        [
            "Μετά από τέσσερα χρόνια δουλειάς, ο σύλλογος έβαλε πάλι μπροστά τον νερόμυλο της κοιλάδας. Την Κυριακή "
            "ήρθαν πάνω από διακόσιοι επισκέπτες για να δουν τη ρόδα να γυρίζει.",
            "Ο μυλωνάς, που παλιότερα ήταν δάσκαλος, εξήγησε στα παιδιά πώς το σιτάρι γίνεται αλεύρι. Το πρώτο ψωμί, "
            "όπως είπε, βγήκε λίγο σκούρο, αλλά άρεσε σε όλους.",
        ],
        "© 2026 Τα Νέα της Κοιλάδας. Με την επιφύλαξη παντός δικαιώματος.",
    ),
    "Russian": (
        ["Главная", "Новости", "Спорт", "Контакты"],
        "Старая мельница снова мелет",
        [
            "После четырёх лет работы общество снова запустило водяную мельницу в долине. В воскресенье больше двухсот "
            "человек пришли посмотреть, как крутится колесо.",
            "Мельник, который раньше был учителем, рассказал детям, как из зерна получается мука. Первый хлеб, по его "
            "словам, вышел немного тёмным, но понравился всем.",
        ],
        "© 2026 Вестник долины. Все права защищены.",
    ),
    "Chinese": (
        ["首页", "新闻", "体育", "联系我们"],
        "老水磨坊重新开磨",
        [
            "经过四年的修缮，当地协会让山谷里的水磨坊重新转动起来。星期天有两百多位游客前来观看水轮转动的样子，许多老人"
            "说他们小时候常常在这里玩耍。",
            "磨坊主以前是一位老师，他向孩子们讲解了粮食是怎样变成面粉的。他说第一炉面包烤得有点黑，但是大家都觉得很好吃，"
            "明年春天还会再开放一次。",
        ],
        "© 2026 山谷日报 版权所有",
    ),
    "Arabic": (
        ["الرئيسية", "الأخبار", "الرياضة", "اتصل بنا"],
        "الطاحونة القديمة تعمل من جديد",
        [
            "بعد أربع سنوات من العمل أعادت الجمعية تشغيل طاحونة الماء في الوادي. وفي يوم الأحد جاء أكثر من مئتي زائر "
            "ليشاهدوا العجلة وهي تدور.",
            "شرح الطحان، الذي كان معلما في السابق، للأطفال كيف يصبح القمح دقيقا. وقال إن الخبز الأول خرج داكنا قليلا، "
            "لكنه أعجب الجميع.",
        ],
        "© 2026 صحيفة الوادي. جميع الحقوق محفوظة.",
    ),
    "Thai": (
        ["หน้าแรก", "ข่าว", "กีฬา", "ติดต่อเรา"],
        "โรงสีเก่ากลับมาทำงานอีกครั้ง",
        [
            "หลังจากซ่อมแซมมาสี่ปี สมาคมท้องถิ่นได้ทำให้โรงสีพลังน้ำในหุบเขากลับมาหมุนได้อีกครั้ง ในวันอาทิตย์มีผู้มาเยือนมากกว่า"
            "สองร้อยคนเพื่อดูกังหันน้ำหมุน",
            "เจ้าของโรงสีซึ่งเคยเป็นครูได้อธิบายให้เด็ก ๆ ฟังว่าข้าวกลายเป็นแป้งได้อย่างไร เขาบอกว่าขนมปังก้อนแรกไหม้ไปนิดหน่อย แต่ทุกคนก็ชอบมาก",
        ],
        "© 2026 ข่าวหุบเขา สงวนลิขสิทธิ์",
    ),
}
languages = pytest.mark.parametrize("language", ARTICLES)


def html(language: str) -> str:
    menu, title, paragraphs, footer = ARTICLES[language]
    items = "".join(f'<li><a href="/{place}">{item}</a></li>' for place, item in enumerate(menu))
    story = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return (
        f"<!doctype html><title>{title}</title><div><ul>{items}</ul></div>"
        f"<div><h1>{title}</h1>{story}</div><div><p>{footer}</p></div>"
    )


def read(language: str) -> Document:
    return extract(html(language), method="kernel")


@languages
def test_the_paragraphs_are_kept(language: str) -> None:
    text = read(language).text
    assert [paragraph for paragraph in ARTICLES[language][2] if paragraph not in text] == []


@languages
def test_the_menu_is_dropped(language: str) -> None:
    assert not set(ARTICLES[language][0]) & set(read(language).text.splitlines())


@languages
def test_every_paragraph_scores_below_all_of_the_menu_and_the_footer(language: str) -> None:
    # Only the order: one line in a div without a class may be taken for the end of the story.
    page = Page.from_html(html(language))
    scores = Kernel.shipped().score(page, cut(page)).values
    assert scores[5:7].max() < min(scores[:4].min(), scores[7])


@languages
def test_the_model_is_confident_of_an_article(language: str) -> None:
    found = read(language)
    assert found.kind == "article"
    assert found.confidence is not None
    assert found.confidence > 0.5
