"""What is relevant to a question: what it names, texts about that, and who may evaluate them."""

import pytest

from errata.core.errors import AccessError, SettingError
from errata.tools.judges.evaluator import Evaluator, evaluator_for, load_local_evaluator
from tiny_checkpoints import tiny

QUESTION = "When was the Eiffel Tower opened?"
TOWER = ("Eiffel Tower", "The Eiffel Tower was opened on 31 March 1889 in Paris.")
BEES = ("Bees", "Bees make honey. They fly far.")


def test_relevant_texts_score_higher():
    local = load_local_evaluator()
    assert isinstance(local, Evaluator)
    tower, bees, nothing = local.score(QUESTION, [TOWER, BEES, ("", "")])
    assert tower > local.upper > local.lower > bees
    assert nothing == -1


DIRECTOR = "Who was the director of The International?"
FESTIVAL = "The festival's director was Ann Lee. She was the director for ten years."
FILM = "The International is a 2009 film directed by Tom Tykwer."


def test_only_a_text_with_the_whole_name_makes_a_retrieval_correct():
    local = load_local_evaluator()
    assert local.score(DIRECTOR, [("International Dance Festival", FESTIVAL)])[0] <= local.upper
    assert local.score(DIRECTOR, [("The International (film)", FILM)])[0] > local.upper


def test_a_name_of_function_words_is_known_by_its_title():
    local = load_local_evaluator()
    text = "All Over is a play written by Edward Albee."
    texts = [("All Over", text), ("Albee", f"It rained. {text}")]
    own, other = local.score("Who is the author of All Over?", texts)
    assert own > max(local.lower, other)


@pytest.mark.usefixtures("transformers")
@pytest.mark.parametrize("kind", ["t5", "hub"])
def test_checkpoints_are_evaluators(kind, tmp_path):
    evaluator = evaluator_for(tiny(kind, tmp_path))
    scores = evaluator.score("tower", [TOWER, BEES] * 10)
    assert len(scores) == 20
    assert all(-1 <= score <= 1 for score in scores)
    assert evaluator.score("tower", []) == []


@pytest.mark.usefixtures("transformers")
@pytest.mark.parametrize("kind", ["t5", "hub"])
def test_a_missing_checkpoint_is_an_error(kind, tmp_path):
    with pytest.raises(AccessError, match="no checkpoint can be read"):
        evaluator_for(f"{kind}:{tmp_path / 'gone'}").score("x", [TOWER])


def test_a_checkpoint_must_be_named():
    with pytest.raises(SettingError, match="'t5:'"):
        evaluator_for("t5:")
