"""Marks of other providers, and addresses written in another form: read as what they are."""

import pytest

from errata import cite, correct

C = "\ue200cite\ue202turn0search1\ue201"
FACTS = ("It is 210 metres long.", "It carries 12,000 cars a day.", "Karl Norr designed it.")
PAGE = "The Halden bridge is a bridge. " + " ".join(FACTS)
MARKS = {
    "ChatGPT": C,
    "ChatGPT, two sources": "\ue200cite\ue202turn0search1\ue202turn0news12\ue201",
    "ChatGPT, a file": "\ue200filecite\ue202turn0file0\ue202L1-L9\ue201",
    "ChatGPT, bracketed": "【turn0search1】",
    "ChatGPT, plain": "[turn0search1]",
    "ChatGPT, bare": "citeturn0search1turn2view0",
    "ChatGPT, content reference": ":contentReference[oaicite:0]{index=0}",
    "ChatGPT, old": "[oai_citation:0‡halden.example](https://halden.example/bridge)",
    "assistants, a file": "【4:0†bridge.pdf】",
    "RAGFlow, two": "##0$$ ##12$$",
    "RAGFlow, several": "[ID:0][ID: 12]",
    "Perplexity": "[1][2]",
    "Gemini, a range": "[cite: 1-3, 7]",
    "Anthropic": '<cite index="1-2"></cite>',
}
AROUND = {
    "Cohere": ("<co: 0,1>", "</co: 0,1>"),
    "Cohere, named": ("<co>", "</co: 0:[1,2]>"),
    "Gemini, around": ("[cite_start]", "[cite: 1, 2]"),
    "Anthropic, around": ('<cite index="1-2">', "</cite>"),
    "Anthropic, several": ('<cite index="0-1,3-4">', "</cite>"),
}
DRAFTS = {name: f"{FACTS[0]} {mark} {FACTS[1]} {mark} {FACTS[2]}" for name, mark in MARKS.items()}
DRAFTS |= {
    name: " ".join(f"{opening}{fact.rstrip('.')}{closing}." for fact in FACTS)
    for name, (opening, closing) in AROUND.items()
}


@pytest.mark.parametrize("draft", DRAFTS.values(), ids=DRAFTS)
def test_marks_claim_nothing_and_stay(draft):
    question = "What is known of the Halden bridge?"
    settings = {"documents": [PAGE], "unsupported": "drop", "drop_below": 0.5}
    result = correct(question, draft, **settings)
    assert [verdict.label for verdict in result.verdicts] == ["supported"] * 3
    assert result.response == draft
    assert all(draft[c.start : c.end] in draft for c in result.claims)
    assert not any(word in c.text for c in result.claims for word in ("cite", "turn", "ID", "##"))
    wrong = draft.replace("12,000", "14,000")
    assert correct(question, wrong, documents=[PAGE]).response == draft


SENTENCE = "The Halden bridge was opened on 4 March 1934"
BASE = "https://halden.example/bridge"
SAME = [
    (f"{BASE}?utm_source=chatgpt.com&utm_medium=referral", BASE),
    (f"{BASE}?gclid=abc&fbclid=def", BASE),
    (f"{BASE}?id=1&ref_src=twsrc", f"{BASE}?id=1"),
    (f"{BASE}?b=2&a=1", f"{BASE}?a=1&b=2"),
    ("https://halden.example/the%20bridge", "https://halden.example/the bridge"),
    ("https://halden.example/br%C3%BCcke", "https://halden.example/brücke"),
    ("http://halden.example:80/bridge/", BASE),
    ("https://www.halden.example/bridge#:~:text=opened", BASE),
    ("https://xn--brcke-lva.example/a", "https://brücke.example/a"),
    (f"{BASE}?mc_cid=1&igshid=2&_ga=3&si=x", f"{BASE}?si=x"),
]
OTHER = [
    (f"{BASE}?id=1", f"{BASE}?id=2"),
    ("https://halden.example/Bridge", BASE),
    ("https://halden.example:8080/bridge", BASE),
    ("https://halden.example/a%2Fb", "https://halden.example/a/b"),
    (f"{BASE}?page=2", BASE),
    ("https://other.example/bridge", BASE),
]


AFTER = "Source: {}|Source: {}.|(Source: {})|Sources: {}|Source: [Halden]({})|[Source]({})"
"""How a source is named after a sentence."""


def statuses(draft, address):
    """What becomes of the source and of the sentence, where a page is given by its address."""
    documents = [{"url": address, "text": f"{SENTENCE}. It is made of steel."}]
    result = cite(draft, documents=documents, check_only=True, max_links=0)
    [finding] = result.trail["citations"]
    [source] = [source for source in result.trail["sources"] if source["key"]]
    return source["status"], finding["finding"]


@pytest.mark.parametrize(("address", "given"), SAME)
def test_the_same_page_in_another_form_is_given(address, given):
    assert statuses(f"{SENTENCE} [1]({address}).", given) == ("given", "supported")


@pytest.mark.parametrize(("address", "given"), OTHER)
def test_another_page_is_not_read(address, given):
    assert statuses(f"{SENTENCE} [1]({address}).", given)[0] == "not_read"


@pytest.mark.parametrize("words", AFTER.split("|"))
def test_a_source_after_the_stop_is_a_mark_of_the_sentence_before_it(words):
    assert statuses(f"{SENTENCE}. {words.format(BASE)}", BASE) == ("given", "supported")
