"""The class-incremental protocol: streams, measures, tables and charts, for learners of any kind.

A learner is an object with `learn_one(x, y)` and `predict_one(x)`, where `x` is an image as an array of bytes. Models
of Sprig, classifiers of scikit-learn with `partial_fit`, and classifiers of River can be given as they are.

>>> import numpy as np
>>> from sprig import lab
>>> class LastLabel:
...     label = None
...     def learn_one(self, x, y):
...         self.label = y
...     def predict_one(self, x):
...         return self.label
>>> images, labels = np.zeros((60, 8, 8), np.uint8), np.repeat(["a", "b", "c"], 20)
>>> results = lab.compare({"last label": LastLabel}, images, labels, seeds=[0], cycles=2, per_block=5, held_out=5)
>>> print(results)
measure               last label
--------------------------------
accuracy_final            0.3333
early                     0.3333
wcr_end                   0.3333
wcr_worst                 0.3333
wcr_end_all               0.3333
wcr_worst_all             0.3333
retention_loss            0.6667
average_forgetting        1.0000
backward_transfer        -1.0000
anytime_accuracy          0.4722
prequential_accuracy      0.8000
"""

from . import measures
from ._learners import adapt
from ._results import Results, compare
from ._run import Run, run
from ._stream import Stream, paper_filter

__all__ = ["Results", "Run", "Stream", "adapt", "compare", "measures", "paper_filter", "run"]
