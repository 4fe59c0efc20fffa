"""All texts that answer something in this book: what a students' edition must not hold."""

from tools.course.lessons import known_mistakes, lessons, solved_problems

SHORTEST = 25  # letters: less may stand anywhere


def squeezed(text: str) -> str:
    """Give text by which the same words are found whatever form they are stored in (HTML, JSON, Python)."""
    return "".join(letter for letter in text.lower() if letter.isalnum())


def answers() -> dict[str, str]:
    """Give each text that answers, and where it is from: replies, explanations, cures, solutions."""
    found: dict[str, str] = {}
    for lesson in lessons().values():
        for question in lesson.questions:
            texts = [option["why"] for option in question.get("options", ())]
            texts += [each["why"] for each in question.get("mistakes", ())] + [question.get("explain", "")]
            found |= dict.fromkeys(texts, f"{lesson.name}, question {question['name']}")
    for exercise, mistakes in known_mistakes().items():
        for label, texts in mistakes.items():
            found |= dict.fromkeys(texts, f"exercise {exercise}, {label}")
    for name, solutions in solved_problems().items():
        for number, text in enumerate(solutions, 1):
            found |= dict.fromkeys((line for line in text.splitlines()), f"{name}, problem {number}")
    return {text: where for text, where in found.items() if len(squeezed(text)) >= SHORTEST}
