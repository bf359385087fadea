"""What the method says of a draft that its model's own answers contradict."""

import json

from errata_example_method import method

from errata import Session


def test_answers_that_disagree_refute_a_claim(tmp_path):
    script = tmp_path / "replies.json"
    script.write_text(json.dumps(dict(method.replies)))
    with Session("selfcheck", model=f"scripted:{script}", answers=2) as session:
        found = session.check("Who was Marie Curie?", "Marie Curie was born in 1865.")
    assert (found.label, found.trail["shares"]) == ("refuted", {"c1": 0.0})
