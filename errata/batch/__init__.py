"""Run one method on many rows: streamed in, each written once, resumed after a kill."""

from errata.batch.ray_data import RowCorrector as RowCorrector
from errata.batch.run import run_batch as run_batch
