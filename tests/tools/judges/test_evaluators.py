"""Evaluators: the local one on real questions, others from tiny untrained checkpoints."""

import json

import pytest

from errata.errors import AccessError, InputError, SettingError
from errata.evals.datasets import read_squad_pairs
from errata.records import Document
from errata.tools.judges.checkpoints import evaluator_for, is_evaluator
from errata.tools.judges.evaluator import Evaluator, load_local_evaluator
from errata.tools.judges.relevance import Question, relevance_features
from errata.tools.local.refine import refine, select, strip_spans
from errata.tools.local.rewrite import rewrite

TOWER = ("Eiffel Tower", "The Eiffel Tower was opened on 31 March 1889 in Paris.")
BEES = ("Bees", "Bees make honey. They fly far.")


def test_relevant_texts_score_higher():
    local = load_local_evaluator()
    assert isinstance(local, Evaluator)
    tower, bees, nothing = local.score("When was the Eiffel Tower opened?", [TOWER, BEES, ("", "")])
    assert tower > local.upper > local.lower > bees
    assert nothing == -1


@pytest.mark.slow
def test_the_right_paragraph_scores_above_its_neighbours(squad_folder):
    """SQuAD dev, own paragraph beside two of the same article; accuracy at score 0."""
    files = squad_folder / "dev_questions.jsonl.gz", squad_folder / "dev_paragraphs.jsonl.gz"
    pairs = list(read_squad_pairs(*files, others=0))[:900]
    local = load_local_evaluator()
    right = sum((local.score(p.question, [(p.title, p.text)])[0] > 0) == p.relevant for p in pairs)
    assert right / len(pairs) > 0.8


@pytest.mark.parametrize(
    ("question", "title", "text", "feature", "value"),
    [
        ("Who is Ada?", "Ada", "Ada wrote notes.", "names_title", 1),
        ("Who is Ada?", "", "Ada wrote notes.", "names", 1),
        ("When was Ada born?", "", "Ada was born in 1815.", "answer", 1),
        ("When was Ada born?", "", "Ada was born.", "answer", 0),
        ("Where did Ada die?", "", "Ada died.", "answer", 0),
        ("what is it", "", "Bees.", "named", 0),
        ("who wrote notes", "", "notes wrote", "cover", 1),
    ],
)
def test_relevance_features(question, title, text, feature, value):
    assert relevance_features(Question(question, {}), title, text)[feature] == value


TEXT = "One is first. Two is second. Three is third. Four is fourth. Five is last."


@pytest.mark.parametrize(
    ("text", "mode", "strips"),
    [
        ("", "excerption", []),
        ("One. Two.", "excerption", ["One. Two."]),
        (TEXT, "selection", [TEXT]),
        (TEXT, "excerption", [TEXT[:44], TEXT[45:]]),
        (
            f"{TEXT} Six is more. Seven.",
            "excerption",
            [TEXT[:44], f"{TEXT[45:]} Six is more. Seven."],
        ),
        (" ".join(["Some words here."] * 18), "fixed_num", 1),
        (" ".join(["Some words here."] * 40), "fixed_num", 3),
    ],
)
def test_documents_are_cut_into_strips(text, mode, strips):
    cut = [text[a:b] for a, b in strip_spans(text, mode)]
    assert cut == strips if isinstance(strips, list) else len(cut) == strips


class Length:
    """Score a text by its length."""

    upper, lower, floor = 0.5, -0.5, -0.5

    def score(self, question, texts):
        return [len(text) / 100 - len(question) for _, text in texts]


def test_the_best_strips_are_in_document_order():
    documents = [
        Document(id="a", text="Short one. Then a longer one here."),
        Document(id="b", text="x."),
        Document(id="c", text="The middle one of all."),
    ]
    knowledge = refine("", documents, "excerption", Length(), 2, 0.1)
    assert [strip.document for strip in knowledge] == ["a", "c"]
    assert refine("", documents, "excerption", Length(), 5, 0.9) == []


def test_paragraphs_of_pages_are_selected():
    page = Document(id="p", text="Bees make honey.\n\nThe tower was opened in 1889.\nCats purr.")
    knowledge = select("When was the tower opened?", [page], load_local_evaluator(), 5, -0.25)
    assert [page.text[k.start : k.end] for k in knowledge] == ["The tower was opened in 1889."]


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("What is Henry Feilden's occupation?", "Henry Feilden, occupation"),
        ("In what city was Billy Carlson born?", "Billy Carlson, city born"),
        ("who won", "won"),
        ("Who?", "Who?"),
    ],
)
def test_questions_become_keywords(question, query):
    assert rewrite(question) == query


@pytest.mark.parametrize(
    ("spec", "judge"),
    [
        ("local", True),
        ("local:x.json", True),
        ("t5:x", True),
        ("cross-encoder:x", True),
        ("openai:gpt-4o", False),
        (Length(), True),
        (None, False),
    ],
)
def test_chat_models_are_no_evaluators(spec, judge):
    assert is_evaluator(spec) is judge


def test_weights_for_other_features_are_refused(tmp_path):
    weights = {"bias": 0, "weights": {}, "idf": {}, "upper": 0, "lower": 0, "floor": 0}
    (tmp_path / "w.json").write_text(json.dumps(weights))
    with pytest.raises(InputError, match="fitted on other features"):
        evaluator_for(f"local:{tmp_path / 'w.json'}")


def tiny(kind, folder):
    """Make an untrained checkpoint with a vocabulary of a few words."""
    transformers = pytest.importorskip("transformers", reason="needs errata[huggingface]")
    pytest.importorskip("sentence_transformers", reason="needs errata[huggingface]")
    from tokenizers import Tokenizer, models, pre_tokenizers

    vocabulary = {word: n for n, word in enumerate(["[PAD]", "[UNK]", "[SEP]", "tower", "bees"])}
    words = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=words,
        pad_token="[PAD]",
        unk_token="[UNK]",
        eos_token="[SEP]",
        sep_token="[SEP]",
        cls_token="[SEP]",
    ).save_pretrained(folder)
    if kind == "t5":
        config = transformers.T5Config(
            vocab_size=5,
            d_model=16,
            d_kv=8,
            d_ff=16,
            num_layers=1,
            num_heads=2,
            num_labels=1,
            pad_token_id=0,
            eos_token_id=2,
            decoder_start_token_id=0,
        )
        transformers.T5ForSequenceClassification(config).save_pretrained(folder)
    else:
        config = transformers.BertConfig(
            vocab_size=5,
            hidden_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=16,
            num_labels=1,
        )
        transformers.BertForSequenceClassification(config).save_pretrained(folder)
    return f"{kind}:{folder}"


@pytest.mark.parametrize("kind", ["t5", "cross-encoder"])
def test_checkpoints_are_evaluators(kind, tmp_path):
    evaluator = evaluator_for(tiny(kind, tmp_path))
    scores = evaluator.score("tower", [TOWER, BEES] * 10)
    assert len(scores) == 20
    assert all(-1 <= score <= 1 for score in scores)
    assert evaluator.score("tower", []) == []


@pytest.mark.parametrize("kind", ["t5", "cross-encoder"])
def test_a_missing_checkpoint_is_an_error(kind, tmp_path):
    pytest.importorskip("sentence_transformers", reason="needs errata[huggingface]")
    with pytest.raises(AccessError, match="no evaluator can be read"):
        evaluator_for(f"{kind}:{tmp_path / 'gone'}").score("x", [TOWER])


def test_a_checkpoint_must_be_named():
    with pytest.raises(SettingError, match="'t5:'"):
        evaluator_for("t5:")
