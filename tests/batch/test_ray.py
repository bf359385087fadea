"""The class for Ray Data's `map_batches`, in this process: no Ray is needed to try it."""

import json

import numpy as np
import pytest

from errata.batch import RowCorrector
from errata.batch.ray_data import RayEngine
from errata.core.errors import InputError, SettingError
from example import DRAFT, PAGE, RESPONSE


def columns(**values):
    """A batch as Ray hands it over, in columns of numpy; lists stand in one of objects."""
    made = {name: np.empty(len(column), dtype=object) for name, column in values.items()}
    for name, column in values.items():
        made[name][:] = column
    return made


def test_a_batch_comes_back_with_every_row():
    documents = [[PAGE], [{"text": PAGE}], []]
    out = RowCorrector()(columns(id=["a", 7, None], draft=[DRAFT, " ", DRAFT], documents=documents))
    assert {len(column) for column in out.values()} == {3}
    assert (out["id"], out["response"]) == (["a", "7", ""], [RESPONSE, "", ""])
    assert (out["label"], out["changed"]) == (["refuted", "", ""], [True, False, False])
    assert "neither a draft" in out["error"][1]
    assert "id must be" in out["error"][2]
    assert json.loads(out["result"][0])["verdicts"][0]["label"] == "refuted"


def test_what_is_wrong_is_said_at_once(bench):
    with pytest.raises(SettingError, match="no method is called"):
        RowCorrector("none")
    with pytest.raises(InputError, match=r"cannot read .*in\.jsonl"):
        bench.run(engine=RayEngine())
