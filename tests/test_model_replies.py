"""What models reply beside what they were asked for: thoughts, turn marks, verdicts in any form."""

import asyncio

import pytest

from errata import answer, astream_correct, correct
from errata.core.events import Shown

DRAFT = "The Halden bridge was designed by Anna Berg. It was opened in 1934."
PAGE = "The Halden bridge was designed by Karl Norr and opened in 1934."
QUESTION = "Who designed the Halden bridge?"
RIGHT = DRAFT.replace("Anna Berg", "Karl Norr")
REPLIES = {
    "rac/extract": "The Halden bridge was designed by Anna Berg.\n"
    "The Halden bridge was opened in 1934.",
    "rac/verify": "1: False [1] | Anna Berg -> Karl Norr\n2: True [1]",
    "rac/generate.rag": "Karl Norr designed it.",
    "crag/generate": "Karl Norr designed it.",
}
HARMONY = "<|channel|>analysis<|message|>1: True\n2: True<|end|><|start|>assistant"
THOUGHTS = {
    "a lone close": "The draft has two facts.\nThe designer may be wrong.\n</think>\n\n{}",
    "think": "<think>1: True</think>\n{}",
    "unlike case": "<Thinking>\n1: True\n2: True\n</Thinking>\n{}",
    "thought": "<thought>1: True</thought>{}",
    "reasoning": "<reasoning>\n1: True\n</reasoning>\n\n{}",
    "reflection": "<reflection>1: True</reflection>{}",
    "seed": "<seed:think>1: True</seed:think>{}",
    "nested": "<thinking>a <think>b</think> 1: True\n</thinking>{}",
    "Magistral": "[THINK]1: True\n2: True[/THINK]{}",
    "Magistral, a lone close": "1: True\n2: True[/THINK]\n{}",
    "Kimi": "◁think▷1: True\n2: True◁/think▷{}",
    "Kimi, a lone close": "1: True\n◁/think▷\n{}",
    "Cohere": "<|START_THINKING|>1: True<|END_THINKING|><|START_RESPONSE|>{}<|END_RESPONSE|>",
    "Gemma": "<|channel>thought\n1: True\n<channel|>{}<end_of_turn>",
    "gpt-oss": HARMONY + "<|channel|>final<|message|>{}<|return|>",
    "gpt-oss from its turn on": "<|start|>assistant" + HARMONY + "<|channel|>final<|message|>{}",
    "gpt-oss with a constraint": HARMONY
    + "<|channel|>final <|constrain|>text<|message|>{}<|return|>",
    "gpt-oss glued": "analysisWe need to judge.\n1: True\n2: Trueassistantfinal{}",
    "ChatML": "<|im_start|>assistant\n{}<|im_end|>",
    "ChatML goes on": "{}<|im_end|>\n<|im_start|>user\n1: True\n2: False",
    "Llama 3": "<|start_header_id|>assistant<|end_header_id|>\n\n{}<|eot_id|>",
    "Llama 2": "{}</s>",
    "Mistral": "[/INST] {} </s>",
    "Phi": "{}<|end|>",
    "DeepSeek": "{}<｜end▁of▁sentence｜>",
    "GLM": "<|begin_of_box|>{}<|end_of_box|>",
}


LONE = [form for name, form in THOUGHTS.items() if "lone" in name]


@pytest.mark.parametrize("form", THOUGHTS.values(), ids=THOUGHTS)
def test_thoughts_and_turn_marks_are_no_reply(openai_server, form):
    openai_server.replies = {name: form.format(text) for name, text in REPLIES.items()}
    known = {"documents": [PAGE], "model": "openai:m"}
    result = correct(QUESTION, DRAFT, method="rac", **known)
    assert [claim.text for claim in result.claims] == REPLIES["rac/extract"].split("\n")
    assert [verdict.label for verdict in result.verdicts] == ["refuted", "supported"]
    assert result.response == RIGHT
    assert answer(QUESTION, **known).response == "Karl Norr designed it."


async def _streamed():
    page, seen = Shown(), list[str]()
    async for event in astream_correct(
        QUESTION, documents=[PAGE], roles={"generate": "openai:m"}, method="errata"
    ):
        if hasattr(event, "response"):
            return page.text(), seen, event
        page.add(event)
        seen.append(page.text())
    raise AssertionError


@pytest.mark.parametrize("form", THOUGHTS.values(), ids=THOUGHTS)
def test_a_stream_shows_no_thought_or_takes_it_back(openai_server, form):
    thought = form.replace("1: True", "Anna Berg was first.").replace("2: True", "No.")
    openai_server.replies = {"rac/generate.rag": thought.format("Karl Norr designed the bridge.")}
    text, seen, result = asyncio.run(_streamed())
    assert text == result.draft == result.response == "Karl Norr designed the bridge."
    if form not in LONE:
        assert all(result.draft.startswith(each) for each in seen)


SPOKEN_OF = [
    "The model writes its thoughts between `<think>` and `</think>`.",
    'Its template ends a turn with "<|im_end|>".',
    "The tag “</thinking>” ends a thought.",
]


@pytest.mark.parametrize("text", SPOKEN_OF)
def test_an_answer_that_speaks_of_a_mark_stays(openai_server, text):
    openai_server.replies = {"crag/generate": text}
    assert answer("What does it write?", documents=[text], model="openai:m").response == text


@pytest.mark.parametrize("mark", ["<think>", "</think>", "</thinking>", "[/THINK]", "◁/think▷"])
def test_a_draft_that_speaks_of_a_mark_stays(openai_server, mark):
    draft = f"The template writes {mark} in the year 1934."
    openai_server.replies = {
        "rac/extract": draft.replace("<", "‹").replace("[", "‹").replace("◁", "‹"),
        "rac/verify": "1: Not Mentioned",
    }
    result = correct("", draft, documents=[PAGE], model="openai:m", method="rac")
    assert result.response == draft
    assert [claim.text for claim in result.claims] == [draft]
    sent = openai_server.requests[0][1]["messages"][0]["content"]
    assert mark not in sent
