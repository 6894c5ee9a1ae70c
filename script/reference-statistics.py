#!/usr/bin/env python3
"""Makes the reference values that ExperimentStatisticsTests compare with.

    python3 -m venv .venv-reference
    .venv-reference/bin/pip install scipy statsmodels gbstats mpmath
    .venv-reference/bin/python script/reference-statistics.py

Each function of the target gets one JSON file under Tests/ExperimentStatisticsTests/References,
with the package the values come from, all package versions, and a list of cases: the inputs and
the expected numbers (null where there is none).

The Miettinen-Nurminen interval does not come from statsmodels: up to 0.15 its score test for a
difference that is not zero has `count0` where the paper has `nobs0` (issue 10269), so its
intervals are wrong. Here the test is written out from the paper in 50 digits and inverted by
bisection. Koopman's interval is checked both ways.
"""

import json
import math
import pathlib
import warnings
from importlib.metadata import version

import mpmath as mp
import numpy as np
from scipy import integrate, stats
from statsmodels.stats import contingency_tables, multitest, proportion

mp.mp.dps = 50
warnings.simplefilter("ignore")
ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "Tests" / "ExperimentStatisticsTests" / "References"
PACKAGES = {name: version(name) for name in ("scipy", "statsmodels", "gbstats", "mpmath", "numpy")}
total = 0


def clean(value):
    """A number as JSON can hold it: null for what is not finite."""
    if value is None:
        return None
    value = float(value)
    return value if math.isfinite(value) else None


def write(name, source, cases):
    global total
    total += len(cases)
    rows = [
        {"inputs": [clean(x) for x in inputs], "expected": [clean(x) for x in expected]}
        for inputs, expected in cases
    ]
    lines = ",\n".join("    " + json.dumps(row) for row in rows)
    head = json.dumps({"source": source, "packages": PACKAGES}, indent=2)[:-2]
    (FOLDER / f"{name}.json").write_text(f'{head},\n  "cases": [\n{lines}\n  ]\n}}\n')
    print(f"{name}: {len(cases)}")


# One proportion -------------------------------------------------------------------------------

ONE = [
    (0, 1), (1, 1), (0, 5), (5, 5), (1, 5), (3, 10), (0, 200), (200, 200), (1, 200), (199, 200),
    (100, 200), (17, 200), (263, 1000), (999, 1000), (12, 10_000), (5_000, 10_000),
    (81_234, 100_000), (0, 10**8), (10**8, 10**8), (1, 10**8), (10**8 - 1, 10**8),
    (50_000_000, 10**8), (73_123_456, 10**8), (4, 10**8), (1234, 10**8),
]


def one_proportion():
    for method, name in (("wilson", "wilson"), ("beta", "clopper-pearson")):
        cases = []
        for level in (0.95, 0.99):
            for x, n in ONE:
                low, high = proportion.proportion_confint(x, n, 1 - level, method)
                # statsmodels leaves NaN or a rounding crumb at the ends, where the bound is known.
                low, high = (0 if x == 0 else low), (1 if x == n else high)
                cases.append(((x, n, level), (low, high)))
        write(name, "statsmodels proportion_confint", cases)


# Two proportions: the score family ------------------------------------------------------------

TWO = [  # successes and trials of the treatment, then of the control
    (56, 70, 48, 80), (7, 34, 1, 34), (9, 10, 3, 10), (10, 10, 0, 20), (10, 10, 0, 10),
    (6, 7, 2, 7), (5, 56, 0, 29), (0, 10, 0, 20), (0, 10, 0, 10), (10, 10, 20, 20),
    (0, 1, 1, 1), (1, 1, 1, 1), (1, 1, 0, 1), (0, 1, 0, 1), (1, 2, 1, 2), (0, 5, 2, 5),
    (2, 5, 0, 5), (3, 200, 5, 200), (0, 200, 4, 200), (4, 200, 200, 200), (120, 200, 110, 200),
    (110, 200, 110, 200), (1300, 2000, 1200, 2000), (1200, 2000, 1200, 2000),
    (199, 200, 1, 200), (620, 1000, 6100, 10_000), (12, 100_000, 25, 100_000),
    (31_000, 100_000, 30_500, 100_000), (99_990, 100_000, 99_970, 100_000),
    (1, 10, 300_000, 1_000_000), (50_000_000, 10**8, 50_010_000, 10**8),
    (10**8, 10**8, 10**8 - 3, 10**8), (3, 10**8, 9, 10**8), (0, 10**8, 7, 10**8),
    (10**8 - 1, 10**8, 10**8 - 12, 10**8), (5, 10, 5 * 10**7, 10**8),
]


def score(x1, n1, x0, n0, supposed, compare):
    """The z statistic of Miettinen and Nurminen 1985, equations 8 and 10, in 50 digits."""
    x1, n1, x0, n0, d = (mp.mpf(v) for v in (x1, n1, x0, n0, supposed))
    n, x = n1 + n0, x1 + x0
    if compare == "difference":
        l3, l2 = n, (n1 + 2 * n0) * d - n - x
        l1, l0 = (n0 * d - n - 2 * x0) * d + x, x0 * d * (1 - d)
        q = (l2 / (3 * l3)) ** 3 - l1 * l2 / (6 * l3**2) + l0 / (2 * l3)
        p = mp.sqrt(max(0, (l2 / (3 * l3)) ** 2 - l1 / (3 * l3))) * (1 if q >= 0 else -1)
        angle = (mp.pi + mp.acos(max(-1, min(1, q / p**3)) if p != 0 else 0)) / 3
        p0 = 2 * p * mp.cos(angle) - l2 / (3 * l3)
        p0 = max(0, -d, min(1, 1 - d, p0))
        p1, distance, weight = p0 + d, x1 / n1 - x0 / n0 - d, 1
    else:
        a, b = n * d, -(n1 * d + x1 + n0 + x0 * d)
        p0 = (-b - mp.sqrt(max(0, b * b - 4 * a * x))) / (2 * a)
        p1, distance, weight = p0 * d, x1 / n1 - d * x0 / n0, d * d
    variance = (p1 * (1 - p1) / n1 + weight * p0 * (1 - p0) / n0) * n / (n - 1)
    if abs(distance) < mp.mpf(10) ** -40:
        return mp.mpf(0)
    return distance / mp.sqrt(variance) if variance > 0 else distance * mp.mpf(10) ** 60


def bisect(function, low, high):
    """Where a decreasing function crosses zero."""
    for _ in range(140):
        middle = (low + high) / 2
        if function(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def critical(level):
    return mp.sqrt(2) * mp.erfinv(mp.mpf(level))


def two_proportions():
    tests, differences, ratios, package_ratios, fishers = [], [], [], [], []
    for x1, n1, x0, n0 in TWO:
        inputs = (x1, n1, x0, n0)
        if 0 < x1 + x0 < n1 + n0:
            z = float(score(*inputs, 0, "difference"))
            tests.append((inputs, (z, 2 * stats.norm.sf(abs(z)), stats.norm.sf(z))))
        fishers.append((inputs, (stats.fisher_exact([[x1, n1 - x1], [x0, n0 - x0]])[1],)))
        for level in (0.95, 0.995):
            z = critical(level)
            estimate = mp.mpf(x1) / n1 - mp.mpf(x0) / n0
            low = bisect(lambda d: score(*inputs, d, "difference") - z, mp.mpf(-1), estimate)
            high = bisect(lambda d: score(*inputs, d, "difference") + z, estimate, mp.mpf(1))
            differences.append(((*inputs, level), (estimate, low, high)))
            if x0 == 0:
                continue
            ratio = (mp.mpf(x1) / n1) / (mp.mpf(x0) / n0)
            function = lambda log, shift: score(*inputs, mp.e**log, "ratio") + shift  # noqa: E731
            near = mp.log(ratio) if x1 else mp.mpf(-40)
            low = mp.e ** bisect(lambda t: function(t, -z), mp.mpf(-40), near) if x1 else 0
            high = mp.e ** bisect(lambda t: function(t, z), near, mp.mpf(40))
            ratios.append(((*inputs, level), (ratio - 1, low - 1, high - 1)))
            # statsmodels solves the quadratic without care for digits: close to 1 none are left.
            usual = 0 < x1 < n1 and x0 < n0 and n1 + n0 < 10**6 and min(n1, n0) > 2
            if usual and x0 / n0 < 0.999:
                low, high = proportion.confint_proportions_2indep(
                    *inputs, method="score", compare="ratio", alpha=1 - level)
                package_ratios.append(((*inputs, level), (low - 1, high - 1)))
    for x1, n1, x0, n0 in TWO:
        if 0 < x1 + x0 < n1 + n0:
            z, p = proportion.test_proportions_2indep(
                x1, n1, x0, n0, method="score", compare="diff", correction=True,
                return_results=False)
            tests.append(((x1, n1, x0, n0), (z, p, stats.norm.sf(z))))
    write("score-test", "mpmath and statsmodels test_proportions_2indep", tests)
    write("miettinen-nurminen", "mpmath, test inverted by bisection", differences)
    write("koopman", "mpmath, test inverted by bisection", ratios)
    write("koopman-statsmodels", "statsmodels confint_proportions_2indep", package_ratios)
    write("fisher", "scipy fisher_exact", fishers)


# Families and splits --------------------------------------------------------------------------


def families():
    rng = np.random.default_rng(1)
    sets = [[0.01], [0.01, 0.04, 0.03, 0.005], [0.5, 0.5, 0.5], [0.0, 1.0, 0.02], [0.02, 0.02]]
    sets += [list(rng.uniform(size=n) ** 3) for n in (2, 7, 20, 60)]
    for method, name in (("holm", "holm"), ("fdr_bh", "benjamini-hochberg")):
        cases = [(values, multitest.multipletests(values, method=method)[1]) for values in sets]
        write(name, "statsmodels multipletests", cases)


def splits():
    cases = []
    for observed, shares in (
        ([500, 500], [1, 1]), ([510, 490], [0.5, 0.5]), ([821_588, 815_482], [0.5, 0.5]),
        ([0, 10], [0.5, 0.5]), ([1, 0], [0.5, 0.5]), ([90, 12], [0.9, 0.1]),
        ([333, 340, 327], [1, 1, 1]), ([10, 20, 30, 40], [0.1, 0.2, 0.3, 0.4]),
        ([100, 130, 90, 85, 101], [1, 1, 1, 1, 1]), ([50_000_000, 50_010_000], [1, 1]),
        ([10**8, 10**8, 10**8 + 30_000], [1, 1, 1]), ([7] * 30 + [20] * 3, [1] * 33),
    ):
        expected = np.array(shares) / sum(shares) * sum(observed)
        statistic, p = stats.chisquare(observed, expected)
        cases.append(([*observed, *shares], (statistic, p)))
    write("sample-ratio", "scipy chisquare", cases)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    one_proportion()
    two_proportions()
    families()
    splits()
    print("total:", total, PACKAGES)
