"""Intervals for any function of weighted units: bootstrap by weights, and the jackknife."""

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.inference.declare import Form, declare_form, interval
from certus.inference.interval import Limits, Request
from certus.inference.intervals import resample
from certus.statistic import Plugin
from certus.statistic.common import unit_ranks


def standard_error(statistic: Plugin) -> float:
    """Standard error by the jackknife, see `intervals.resample.jackknife_error`."""
    return math.nan if statistic.n < 2 or statistic.reason else resample.jackknife_error(_without_each(statistic))


@interval("bca", Plugin)
def bca(statistic: Plugin, request: Request) -> Limits:
    """BCa bootstrap over units, the acceleration from the jackknife, see `intervals.resample.bca`."""
    without = _without_each(statistic)
    return resample.bca_by_jackknife(lambda: replicates(statistic, request), statistic.value, without, request)


@interval("percentile", Plugin)
def percentile(statistic: Plugin, request: Request) -> Limits:
    """Percentile bootstrap over units, see `intervals.resample.percentile`."""
    return resample.percentile(replicates(statistic, request), request)


@interval("jackknife", Plugin)
def jackknife(statistic: Plugin, request: Request) -> Limits:
    """``value +- t(n - 1) SE`` with the jackknife's standard error; for smooth functions only, not for a median."""
    without = _without_each(statistic)
    return resample.jackknife(statistic.value, without, np.ones(len(without)), request)


def _without_each(statistic: Plugin) -> Floats:
    """Value without each unit in turn, or without each of `GROUPS` random groups of units."""
    groups = resample.groups_left_out(_ranks(statistic))
    order = np.argsort(groups, kind="stable")
    bounds = np.searchsorted(groups[order], np.arange(groups.max() + 2))
    weights, values = np.ones(statistic.n), np.empty(len(bounds) - 1)
    for i, (first, last) in enumerate(pairwise(bounds)):
        weights[order[first:last]] = 0.0
        values[i] = statistic.function(statistic.rows, weights.copy())
        weights[order[first:last]] = 1.0
    return values


def _ranks(statistic: Plugin) -> NDArray[np.int64]:
    """Rank of each unit by its row; the order of the units if rows are not numbers."""
    rows = statistic.rows.reshape(statistic.n, -1)
    return unit_ranks(None, *rows.T) if rows.dtype.kind in "biuf" and rows.size else np.arange(statistic.n)


def replicates(statistic: Plugin, request: Request) -> Floats:
    """Bootstrap replicates of the function, NaN where it is undefined."""
    resample.check_replicates(request)
    if statistic.resample is not None:
        return statistic.resample(request.replicates, request.seed, request.stratified)
    values = np.empty(request.replicates)
    ranks = _ranks(statistic)
    for block, counts in resample.resampled_units(statistic.n, request):
        values[block] = [statistic.function(statistic.rows, row.astype(np.float64)) for row in counts[:, ranks]]
    return values


declare_form(Plugin, Form("a function of units", "bca", standard_error, guard=resample.of_several))
