"""Detection of factual errors, a response at a time (RE-EX section 3.1, table 1)."""

from collections.abc import Mapping

from errata.core.records import Correction
from errata.evals.items import Item
from errata.evals.metrics.estimate import (
    BALANCED,
    F1_TRUE,
    SHARE,
    Counts,
    confusion,
)
from errata.evals.metrics.family import Family, Measure, Said, is_true, of_two_classes
from errata.evals.scoring import Row
from errata.methods import Result


class Detection(Family):
    """Whether a response's label tells true responses from those with an error.

    A response is called false if its label is `refuted`: RE-EX calls it false where an error is
    explained, CoVE where an answer is inconsistent, RARR where evidence disagrees (appendix A.1).
    What is not mentioned is no error. The paper does not say of which class table 1 gives F1; its
    figures on 23 true and 27 false responses (FacTool by GPT-4: 68.0 and 57.1) come of whole counts
    only as F1 of the class "true", `f1_true`. `strict_*` calls all but `supported` false, as WiCE's
    labels do, where not supported is false (appendix A.2).
    """

    name = "detection"

    @property
    def measures(self) -> Mapping[str, Measure]:
        """Balanced accuracy, F1 of either class, accuracy; strictly the first two."""
        return {
            **of_two_classes(_counts, _wrong),
            "strict_balanced_accuracy": Measure(BALANCED, _strict_counts, _wrong),
            "strict_f1_true": Measure(F1_TRUE, _strict_counts, _wrong),
            "unlabelled": Measure(SHARE, lambda _, said: (said["label"] is None, 1)),
        }

    async def score(self, item: Item, result: Result) -> Said:
        """`{"label": LABEL}`; null where nothing was judged, or the method gives no label."""
        is_true(item, self.name)
        judged = isinstance(result, Correction) and result.checked
        return {"label": result.label if isinstance(result, Correction) and judged else None}

    def applies(self, said: Said) -> bool:
        """Whether the method gave a label."""
        return said["label"] is not None


def _counts(row: Row, said: Said) -> Counts:
    return _pair(row.item, said["label"] and said["label"] != "refuted")


def _strict_counts(row: Row, said: Said) -> Counts:
    return _pair(row.item, said["label"] and said["label"] == "supported")


def _wrong(item: Item) -> Counts:
    return _pair(item, None)


def _pair(item: Item, said: bool | None) -> Counts:
    """The counts of one response; what was not judged is wrong."""
    return confusion([(is_true(item, Detection.name), said)])
