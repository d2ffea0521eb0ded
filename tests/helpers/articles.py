"""Invented articles, long enough for a corpus, each with words of its own."""

import random

SUBJECTS = (
    "farmer",
    "teacher",
    "river",
    "engine",
    "garden",
    "winter",
    "letter",
    "market",
    "bridge",
    "doctor",
    "village",
)
VERBS = ("found", "carried", "painted", "repaired", "described", "forgot", "measured", "followed", "crossed", "opened")
PLACES = ("in the valley", "on the old road", "at the end of the street", "near the harbour", "of the school")


def article(number: int, sentences: int = 30) -> str:
    """Return a page with an article, always the same for the same number."""
    choose = random.Random(number).choice
    lines = [
        f"The {choose(SUBJECTS)} that is {choose(SUBJECTS)}{number * 100 + place} {choose(VERBS)} a {choose(SUBJECTS)} "
        f"{choose(PLACES)}, and to the {choose(SUBJECTS)} with a {choose(SUBJECTS)} it was a part of the story."
        for place in range(sentences)
    ]
    paragraphs = "".join(f"<p>{' '.join(lines[place : place + 5])}</p>" for place in range(0, sentences, 5))
    menu = "<nav><ul><li><a href=/>Home</a><li><a href=/news>News</a></ul></nav>"
    return f"<html><title>Story {number}</title><body>{menu}<article><h1>Story {number}</h1>{paragraphs}</article>"
