#!/usr/bin/env python3
"""Makes the reference values that ExperimentStatisticsTests compare with.

    python3 -m venv .venv-reference
    .venv-reference/bin/pip install scipy statsmodels gbstats mpmath ruptures
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
import ruptures
from gbstats.frequentist.tests import SequentialConfig, SequentialTwoSidedTTest
from gbstats.models.statistics import ProportionStatistic, RatioStatistic, SampleMeanStatistic
from gbstats.utils import check_srm
from scipy import integrate, optimize, stats
from statsmodels.duration.survfunc import CumIncidenceRight, SurvfuncRight
from statsmodels.regression.linear_model import OLS, WLS
from statsmodels.stats import contingency_tables, meta_analysis, multitest, proportion
from statsmodels.tools import add_constant

mp.mp.dps = 50
warnings.simplefilter("ignore")
ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "Tests" / "ExperimentStatisticsTests" / "References"
PACKAGES = {name: version(name)
            for name in ("scipy", "statsmodels", "gbstats", "mpmath", "numpy", "ruptures")}
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
    """The z statistic of Miettinen and Nurminen 1985 in 50 digits."""
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


def fisher(x1, n1, x0, n0):
    """Fisher's two-sided p-value, summed outwards from the mode in 50 digits."""
    x = x1 + x0
    log = lambda n: mp.loggamma(n + 1)  # noqa: E731
    choose = lambda n, k: log(n) - log(k) - log(n - k)  # noqa: E731
    first, last = max(0, x - n0), min(n1, x)
    mode = min(last, max(first, (x + 1) * (n1 + 1) // (n1 + n0 + 2)))

    def chance(k):
        return mp.e ** (choose(n1, k) + choose(n0, x - k) - choose(n1 + n0, x))

    limit = chance(x1) * (1 + mp.mpf(10) ** -20)
    result = mp.mpf(0)
    term, k = chance(mode), mode
    while k <= last and term > mp.mpf(10) ** -25:
        result += term if term <= limit else 0
        term *= mp.mpf(n1 - k) * (x - k) / ((k + 1) * (n0 - x + k + 1))
        k += 1
    term, k = chance(mode), mode
    while k > first and term > mp.mpf(10) ** -25:
        term *= mp.mpf(k) * (n0 - x + k) / ((n1 - k + 1) * (x - k + 1))
        k -= 1
        result += term if term <= limit else 0
    return result


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
        # scipy's log-gammas lose a digit for each power of ten.
        if n1 + n0 < 10**5:
            fishers.append((inputs, (stats.fisher_exact([[x1, n1 - x1], [x0, n0 - x0]])[1],)))
        else:
            fishers.append((inputs, (fisher(*inputs),)))
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
        # The digits of 1 - p are gone in statsmodels where p is this close to 1.
        if 0 < x1 + x0 < 0.9999 * (n1 + n0):
            z, p = proportion.test_proportions_2indep(
                x1, n1, x0, n0, method="score", compare="diff", correction=True,
                return_results=False)
            tests.append(((x1, n1, x0, n0), (z, p, stats.norm.sf(z))))
    write("score-test", "mpmath and statsmodels test_proportions_2indep", tests)
    write("miettinen-nurminen", "mpmath, test inverted by bisection", differences)
    write("koopman", "mpmath, test inverted by bisection", ratios)
    write("koopman-statsmodels", "statsmodels confint_proportions_2indep", package_ratios)
    write("fisher", "scipy fisher_exact, mpmath from 10^5 trials", fishers)


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
        cases.append(([*observed, *shares], (statistic, check_srm(observed, shares))))
    write("sample-ratio", "scipy chisquare and gbstats check_srm", cases)
    cases = []
    for table in (
        [[10, 10, 20], [20, 20, 20]], [[5, 0], [2, 9]], [[500, 510], [498, 493], [520, 480]],
        [[1, 2, 3, 4], [4, 3, 2, 1], [7, 7, 7, 7]], [[100_000, 100_300], [99_000, 101_500]],
        [[30, 12, 5]] * 2 + [[12, 30, 5]], [[8, 8]] * 9 + [[16, 0]], [[1, 0], [0, 1]],
    ):
        found = stats.chi2_contingency(table, correction=False)
        inputs = [len(table[0]), *np.ravel(table)]
        cases.append((inputs, (found.statistic, found.dof, found.pvalue)))
    write("homogeneity", "scipy chi2_contingency", cases)
    exact_splits()
    watched_splits()


def outcomes(total, groups):
    """All ways in which people can fall on groups."""
    if groups == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in outcomes(total - first, groups - 1):
            yield (first, *rest)


def exact_splits():
    cases = []
    for observed, shares in (
        ([45, 5], [0.9, 0.1]), ([36, 14], [0.9, 0.1]), ([50, 0], [0.9, 0.1]), ([3, 9], [0.5, 0.5]),
        ([60, 40], [0.5, 0.5]), ([389, 11], [0.99, 0.01]), ([0, 1], [0.5, 0.5]),
    ):
        test = stats.binomtest(observed[0], sum(observed), shares[0])
        cases.append(([*observed, *shares], [test.pvalue]))
    for observed, shares in (
        ([12, 20, 28], [1 / 3] * 3), ([40, 5, 5], [0.8, 0.1, 0.1]), ([9, 3, 2, 6], [0.25] * 4),
        ([1, 2, 3, 14], [0.1, 0.2, 0.3, 0.4]),
    ):
        total, groups = sum(observed), len(observed)
        every = np.array(list(outcomes(total, groups)))
        chances = stats.multinomial.logpmf(every, total, shares)
        own = stats.multinomial.logpmf(observed, total, shares)
        cases.append(([*observed, *shares], [np.exp(chances[chances <= own + 1e-7]).sum()]))
    write("sample-ratio-exact", "scipy binomtest, multinomial over all outcomes", cases)


def watched_splits():
    cases = []
    for observed, shares in (
        ([150, 50], [0.5, 0.5]), ([110, 90], [0.5, 0.5]), ([930, 70], [0.9, 0.1]),
        ([50_800, 49_200], [0.5, 0.5]), ([400, 330, 270], [1 / 3] * 3), ([3, 0], [0.5, 0.5]),
    ):
        factors = []
        for concentration in (100, 10_000):
            prior = [mp.mpf(concentration) * share for share in shares]
            log = mp.loggamma(sum(prior)) - mp.loggamma(sum(prior) + sum(observed))
            for count, weight, share in zip(observed, prior, shares):
                log += mp.loggamma(weight + count) - mp.loggamma(weight) - count * mp.log(share)
            factors.append(mp.exp(log))
        cases.append(([*observed, *shares], [min(1, 2 / sum(factors))]))
    write("sample-ratio-sequential", "mpmath, Bayes factors of Dirichlet mixtures", cases)


def poisson_drops():
    cases = []
    for count, others, periods in (
        (0, 0, 1), (0, 30, 28), (3, 10, 1), (10, 10, 1), (12, 600, 28), (100, 4_200, 28),
        (990, 28_000, 28), (4, 0, 3), (900_000, 28_000_000, 28), (1, 1_000_000, 2),
    ):
        chance = stats.binom.cdf(count, count + others, 1 / (periods + 1))
        cases.append(((count, others, periods), (chance,)))
    write("poisson-drop", "scipy binom", cases)


def margins():
    """The trials that a Wald test of "treatment - (1 - margin) control" needs, by its power."""
    cases = []
    for rate, margin, ratio, alpha, power in (
        (0.5, 0.05, 1, 0.05, 0.8), (0.3, 0.1, 1, 0.05, 0.8), (0.85, 0.02, 1, 0.05, 0.9),
        (0.6, 0.04, 0.25, 0.025, 0.8), (0.1, 0.2, 3, 0.05, 0.95),
    ):
        def shortfall(control):
            spread = rate * (1 - rate) * (1 / (ratio * control) + (1 - margin) ** 2 / control)
            reach = margin * rate / np.sqrt(spread) - stats.norm.isf(alpha)
            return stats.norm.cdf(reach) - power
        control = optimize.brentq(shortfall, 1, 1e9, xtol=1e-9, rtol=1e-14)
        inputs = (rate, margin, ratio, alpha, power)
        cases.append((inputs, (math.ceil(control), math.ceil(control * ratio))))
    write("non-inferiority", "scipy brentq of the power", cases)


def means():
    """Welch's test of scipy, with whole degrees of freedom, and Fieller's ratio by bisection."""
    cases = []
    for n1, m1, v1, n0, m0, v0, level in (
        (700, 2.4, 40.5, 500, 2.0, 33.2, 0.95), (40, 11.0, 9.0, 25, 10.0, 30.0, 0.9),
        (6000, 0.31, 4.4, 5900, 0.29, 3.9, 0.99), (12, 5.0, 1.0, 9, 4.0, 2.0, 0.95),
    ):
        spread = v1 / n1 + v0 / n0
        test = stats.ttest_ind_from_stats(m1, v1**0.5, n1, m0, v0**0.5, n0, equal_var=False)
        degrees = math.floor(spread**2 / ((v1 / n1) ** 2 / (n1 - 1) + (v0 / n0) ** 2 / (n0 - 1)))
        degrees = min(10_000, degrees)
        p = 2 * stats.t.sf(abs(test.statistic), degrees)
        half = stats.t.isf((1 - level) / 2, degrees) * spread**0.5

        def excess(ratio):
            error = (v1 / n1 + ratio**2 * v0 / n0) ** 0.5
            return abs(m1 - ratio * m0) / error - stats.t.isf((1 - level) / 2, degrees)
        ends = [optimize.brentq(excess, a, b, xtol=1e-14, rtol=1e-14) - 1
                for a, b in ((0, m1 / m0), (m1 / m0, 50 * m1 / m0))]
        cases.append(((n1, m1, v1, n0, m0, v0, level),
                      (p, m1 - m0, m1 - m0 - half, m1 - m0 + half, *ends)))
    write("mean-comparison", "scipy ttest_ind_from_stats and t, brentq", cases)


def ratios():
    """Amounts an event: OLS of the events on a constant, with people as clusters.

    The cluster-robust variance is the delta method's (Deng, Knoblich and Lu 2018, section 3) but
    for n / (n - 1). GrowthBook's ratio statistic has to agree.
    """
    random = np.random.default_rng(20)
    cases = []
    for people, rate, tail in ((40, 1.5, 0.3), (400, 0.5, 0.8), (3000, 0.05, 1.6), (900, 4, 1.2)):
        counts = random.poisson(rate, people)
        level = random.lognormal(2, tail / 2, people)
        events = [level[person] * random.lognormal(0, tail, count)
                  for person, count in enumerate(counts)]
        sums = np.array([part.sum() for part in events])
        amounts = np.concatenate(events)
        fit = OLS(amounts, np.ones(len(amounts))).fit(
            cov_type="cluster",
            cov_kwds={"groups": np.repeat(np.arange(people), counts), "use_correction": False})
        variance = fit.bse[0] ** 2 * people / (people - 1)
        other = RatioStatistic(
            n=people, m_statistic=SampleMeanStatistic(people, sums.sum(), (sums**2).sum()),
            d_statistic=SampleMeanStatistic(people, counts.sum(), (counts**2).sum()),
            m_d_sum_of_products=(sums * counts).sum())
        assert math.isclose(other.variance / people, variance, rel_tol=1e-9)
        spread = np.cov(sums, counts)
        inputs = (people, sums.mean(), counts.mean(), spread[0, 0], spread[1, 1], spread[0, 1])
        cases.append((inputs, (fit.params[0], variance)))
    write("ratio-of-means", "statsmodels OLS with clusters, gbstats RatioStatistic", cases)


def clusters():
    """Rates of people in accounts. Counts divided by the design effect (Rao and Scott 1992) go into
    the score statistic, which is held against Student's t.

    The variance is the jackknife's over accounts, to the first order of their weights. It has to
    agree with leaving out one account after the other, and without that order with statsmodels'
    OLS with accounts as clusters.
    """
    random = np.random.default_rng(21)
    cases = []
    for accounts, size, rates, spread in (
            ((40, 40), 6, (0.5, 0.6), 0.8), ((120, 50), 3, (0.1, 0.15), 1.2),
            ((25, 90), 20, (0.7, 0.72), 0.5), ((60, 60), 2, (0.3, 0.2), 0.1)):
        inputs, expected, effective, errors, degrees = list(accounts), [], [], [], []
        for number, rate in zip(accounts, rates):
            people = 1 + random.poisson(size - 1, number)
            chances = 1 / (1 + np.exp(-np.log(rate / (1 - rate)) - spread * random.normal(size=number)))
            done = random.binomial(people, chances)
            x, n = int(done.sum()), int(people.sum())
            outcomes = np.concatenate([np.arange(m) < k for k, m in zip(done, people)]).astype(float)
            fit = OLS(outcomes, np.ones(n)).fit(
                cov_type="cluster",
                cov_kwds={"groups": np.repeat(np.arange(number), people), "use_correction": False})
            rest, weights = (done - x / n * people) ** 2, people / n
            assert math.isclose(rest.sum() / n**2, fit.bse[0] ** 2, rel_tol=1e-9)
            variance = (1 - 1 / number) * (rest * (1 + 2 * weights)).sum() / n**2
            left = (x - done) / (n - people)
            jackknife = (number - 1) / number * ((left - x / n) ** 2).sum()
            assert abs(variance / jackknife - 1) < 5 * (weights**2).max() + 3 / number**2
            effect = max(1, variance / (x / n * (1 - x / n) / n))
            inputs += [value for pair in zip(people, done) for value in pair]
            expected.append(effect)
            effective += [mp.mpf(x) / effect, mp.mpf(n) / effect]
            errors.append(effect * x / n * (1 - x / n) / n)
            degrees.append(min(number - 1, (people**2).sum() ** 2 / (people**4).sum()))
        freedom = int(sum(errors) ** 2 / sum(v * v / k for v, k in zip(errors, degrees)))
        limit = stats.t.isf(0.025, freedom)
        expected.append(2 * stats.t.sf(abs(float(score(*effective, 0, "difference"))), freedom))
        ratios = effective[0] / effective[1], effective[2] / effective[3]
        for compare, found, ends in (
                ("difference", ratios[0] - ratios[1], (-1, 1)),
                ("ratio", ratios[0] / ratios[1], (mp.mpf("1e-6"), mp.mpf(1e6)))):
            shift = 1 if compare == "ratio" else 0
            for sign, low, high in ((1, mp.mpf(ends[0]), found), (-1, found, mp.mpf(ends[1]))):
                expected.append(bisect(
                    lambda d: score(*effective, d, compare) - sign * limit, low, high) - shift)
        cases.append((inputs, expected))
    write("clustered-rates", "statsmodels OLS with clusters, jackknife, scipy t, score in mpmath", cases)


def trends():
    """A straight line through rates: statsmodels' WLS for the slope, its variance and degrees of freedom by
    matrices, and Cochran and Armitage's statistic where rates scatter no more than chance lets them."""
    random = np.random.default_rng(78)
    cases = []
    for number in range(40):
        periods = 4 + number % 11
        people = random.integers(5, 4000, periods)
        odds = 0.4 + (0, -0.05, 0.1)[number % 3] * np.arange(periods)
        odds = odds + (0, 0.15)[number % 2] * random.standard_normal(periods)
        counts = random.binomial(people, 1 / (1 + np.exp(-odds)))
        places = np.arange(periods)
        design = add_constant(places)
        line = WLS(counts / people, design, weights=people).fit()
        pooled = counts.sum() / people.sum()
        chance = pooled * (1 - pooled)
        # The estimate is B y, the squared distances are y' A y.
        weights = np.diag(people.astype(float))
        b = np.linalg.solve(design.T @ weights @ design, design.T @ weights)
        a = weights - weights @ design @ b
        freedom = max(1, round(np.trace(a) ** 2 / np.trace(a @ a)))
        between = (line.scale - chance) * (periods - 2) / np.trace(a)
        if between > 0:
            variances = chance / people + between
            z = line.params[1] / math.sqrt((b @ np.diag(variances) @ b.T)[1, 1])
        else:
            table = contingency_tables.Table(np.array([people - counts, counts]), shift_zeros=False)
            found = table.test_ordinal_association(row_scores=np.arange(2), col_scores=places)
            # statsmodels has the variance of a permutation, with one person fewer.
            size = people.sum()
            z = found.zscore * math.sqrt(size / (size - 1))
        inputs = [value for pair in zip(counts, people) for value in pair]
        cases.append((inputs, (line.params[1], 2 * stats.t.sf(abs(z), freedom))))
    write("rate-trend", "statsmodels WLS and test_ordinal_association, matrices in numpy", cases)


def breaks():
    """The day of a break by ruptures: the best split of all days' rates into two constant ones.

    Inputs are people and finishers of 28 days before and 28 after; the drop begins on one of the
    latter. ChangePoint's interval has to contain the day that ruptures says.
    """
    random = np.random.default_rng(77)
    cases = []
    for number in range(60):
        people, spread, drop = ((2000, 0.05, 0.05), (2000, 0.1, 0.08), (300, 0.05, 0.12))[number % 3]
        start = 28 + 5 + number % 19
        odds = math.log(0.6 / 0.4) + spread * random.standard_normal(56)
        rates = 1 / (1 + np.exp(-odds)) - np.where(np.arange(56) >= start, drop, 0)
        counts = random.binomial(people, rates)
        search = ruptures.Dynp(model="l2", min_size=1, jump=1).fit(counts / people)
        found = search.predict(n_bkps=1)[0]
        cases.append(([value for count in counts for value in (people, count)], (found,)))
    write("change-point", "ruptures Dynp, l2, one break", cases)


# Posteriors ------------------------------------------------------------------------------------

POSTERIORS = [
    (56, 70, 48, 80), (7, 34, 1, 34), (0, 10, 0, 20), (10, 10, 0, 10), (0, 1, 1, 1), (1, 1, 1, 1),
    (3, 200, 5, 200), (120, 200, 110, 200), (1300, 2000, 1200, 2000), (1200, 2000, 1200, 2000),
    (620, 1000, 6100, 10_000), (12, 100_000, 25, 100_000), (31_000, 100_000, 30_500, 100_000),
    (99_990, 100_000, 99_970, 100_000), (1, 10, 300_000, 1_000_000), (4000, 9000, 3900, 9000),
    (50_000_000, 10**8, 50_010_000, 10**8), (3, 10**8, 9, 10**8),
]


def better_exactly(x1, n1, x0, n0):
    """The sum of Miller, "Formulas for Bayesian A/B testing", in 50 digits."""
    a1, b1, a0, b0 = x1 + 1, n1 - x1 + 1, x0 + 1, n0 - x0 + 1
    log_beta = lambda a, b: mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)  # noqa: E731
    term = mp.e ** (log_beta(a0, b0 + b1) - log_beta(a0, b0))
    result = mp.mpf(0)
    for i in range(a1):
        result += term
        term *= mp.mpf(a0 + i) / (a0 + i + b0 + b1) * mp.mpf(b1 + i) / (i + 1)
    return result


def over(weight, function, *kinks):
    """The expectation of a function, by quadrature in pieces over quantiles and given kinks."""
    points = [weight.ppf(q) for q in (1e-17, 1e-9, 1e-4, 0.02, 0.3)]
    points += [weight.isf(q) for q in (0.3, 0.02, 1e-4, 1e-9, 1e-17)]
    points = sorted(points + [kink for kink in kinks if points[0] < kink < points[-1]])
    return math.fsum(
        integrate.quad(lambda x: weight.pdf(x) * function(x), low, high, epsabs=1e-15)[0]
        for low, high in zip(points, points[1:]))


def posteriors():
    chances, losses, rates, contrasts = [], [], [], []
    for inputs in POSTERIORS:
        x1, n1, x0, n0 = inputs
        treatment, control = stats.beta(x1 + 1, n1 - x1 + 1), stats.beta(x0 + 1, n0 - x0 + 1)
        small = x1 < 200_000
        chance = better_exactly(*inputs) if small else over(treatment, control.cdf)
        chances.append((inputs, (chance,)))
        ends = sorted([treatment.ppf(1e-17), control.ppf(1e-17)])
        ends += sorted([treatment.isf(1e-17), control.isf(1e-17)])
        grid = sorted({ends[0], ends[-1], *np.linspace(ends[0], ends[-1], 41)[1:-1],
                       *(d.ppf(q) for d in (treatment, control) for q in (1e-6, 0.01, 0.5, 0.99))})
        losses.append((inputs, (math.fsum(
            integrate.quad(lambda t: treatment.cdf(t) * control.sf(t), a, b, epsabs=1e-16)[0]
            for a, b in zip(grid, grid[1:])),)))
        rates.append(((x1, n1, 0.95), treatment.interval(0.95)))
        if n1 > 10**6 or n0 > 10**5:
            continue
        below = lambda d: over(control, lambda y: treatment.cdf(y + d), -d, 1 - d)  # noqa: E731
        share = lambda r: over(control, lambda y: treatment.cdf(y * r), 1 / r)  # noqa: E731
        row = []
        for target in (0.025, 0.975):
            row.append(optimize.brentq(lambda d: below(d) - target, -1, 1, xtol=1e-13))
        for target in (0.025, 0.975):
            row.append(math.expm1(optimize.brentq(
                lambda t: share(math.exp(t)) - target, -14, 14, xtol=1e-13)))
        contrasts.append(((*inputs, 0.95), row))
    write("probability-better", "mpmath sum, scipy quad for the largest", chances)
    write("expected-loss", "scipy quad", losses)
    write("credible-rate", "scipy beta", rates)
    write("credible-contrast", "scipy quad and brentq", contrasts)


def lift_posteriors():
    """A normal prior of the log ratio: the posterior by quadrature of prior times likelihood."""
    cases = []
    for x1, n1, x0, n0 in TWO:
        if not (0 < x1 < n1 and 0 < x0 < n0) or n1 + n0 > 10**6:
            continue
        seen = math.log((x1 / n1) / (x0 / n0))
        error = math.sqrt((n1 - x1) / (n1 * x1) + (n0 - x0) / (n0 * x0))
        for mean, deviation in ((0, 0.1), (0.02, 0.05), (0, 3.0)):
            middle = (mean / deviation**2 + seen / error**2) / (deviation**-2 + error**-2)
            width = (deviation**-2 + error**-2) ** -0.5
            scale = stats.norm.logpdf(middle, mean, deviation)
            scale += stats.norm.logpdf(seen, middle, error)

            def density(x):
                log = stats.norm.logpdf(x, mean, deviation) + stats.norm.logpdf(seen, x, error)
                return math.exp(log - scale)

            def integral(function, low, high):
                points = np.linspace(low, high, 13)
                return math.fsum(
                    integrate.quad(function, a, b, epsabs=1e-15, epsrel=1e-13)[0]
                    for a, b in zip(points, points[1:]))
            low, high = middle - 11 * width, middle + 11 * width
            whole = integral(density, low, high)
            zero = min(max(0, low), high)
            better = integral(density, zero, high) / whole
            loss = -integral(lambda x: math.expm1(x) * density(x), low, zero) / whole * x0 / n0

            def quantile(share):
                return optimize.brentq(
                    lambda x: integral(density, low, x) / whole - share, low + width, high,
                    xtol=1e-14, rtol=1e-14)
            ends = [math.expm1(quantile(share)) for share in (0.5, 0.025, 0.975)]
            cases.append(((x1, n1, x0, n0, mean, deviation), (ends[0], better, loss, *ends[1:])))
    write("lift-posterior", "scipy quad of prior times likelihood, and brentq", cases)


# Looking often --------------------------------------------------------------------------------


def sequences():
    cases = []
    for x1, n1, x0, n0 in TWO:
        # The normal limit comes later in the far tails: so many people are good for this level.
        fewest = min(x1, n1 - x1, x0, n0 - x0)
        level = 0.05 ** math.sqrt(fewest / 5)
        for alpha, tuning in ((0.05, 5000), (0.01, 40_000)):
            if fewest < 5 or level > alpha:
                continue
            test = SequentialTwoSidedTTest(
                ProportionStatistic(n=n0, sum=x0), ProportionStatistic(n=n1, sum=x1),
                SequentialConfig(
                    alpha=alpha, sequential_tuning_parameter=tuning,
                    difference_type="absolute"))
            result = test.compute_result()
            # The target cuts its intervals where no difference can lie.
            low, high = max(-1, result.ci[0]), min(1, result.ci[1])
            p = max(level, result.p_value)
            cases.append(((x1, n1, x0, n0, 1 - alpha, tuning), (low, high, p)))
    write("confidence-sequence", "gbstats SequentialTwoSidedTTest", cases)


# Durations ------------------------------------------------------------------------------------


def pairs(values):
    """Values as value, count, value, count and so on."""
    return [x for pair in zip(*np.unique(values, return_counts=True)) for x in pair]


def durations():
    rng = np.random.default_rng(2)
    samples = [
        rng.integers(0, 20, 6), rng.integers(0, 9, 40), rng.geometric(0.1, 300),
        np.round(rng.lognormal(3, 1, 1000)), np.round(rng.exponential(30, 5000)),
        np.full(50, 7), rng.integers(0, 3, 2000), rng.geometric(0.02, 37),
    ]
    cases = []
    for values in samples:
        for share in (0.5, 0.9, 0.25, 0.99):
            for level in (0.95, 0.99):
                low, high = stats.quantile_test(values, p=share).confidence_interval(level)
                # An interval with one bound is no interval.
                known = math.isfinite(low) and math.isfinite(high)
                cases.append(
                    ((share, level, *pairs(values)), (low, high) if known else (None, None)))
    write("quantile", "scipy quantile_test", cases)
    cases = []
    for first, second in zip(samples, samples[1:]):
        test = stats.mannwhitneyu(first, second, method="asymptotic")
        inputs = (len(pairs(first)), *pairs(first), *pairs(second))
        cases.append((inputs, (test.statistic, test.pvalue)))
    big = np.repeat([1, 2, 3, 4], [40_000, 30_000, 20_000, 9_000])
    other = np.repeat([1, 2, 3, 5], [41_000, 30_000, 19_000, 9_500])
    test = stats.mannwhitneyu(big, other, method="asymptotic")
    cases.append(((8, *pairs(big), *pairs(other)), (test.statistic, test.pvalue)))
    write("mann-whitney", "scipy mannwhitneyu", cases)


# Strata and survival --------------------------------------------------------------------------


def strata():
    sets = [
        [(56, 70, 48, 80)], [(5, 10, 3, 12), (20, 40, 30, 70), (9, 90, 8, 100)],
        [(0, 4, 1, 5), (3, 9, 0, 7), (12, 30, 20, 33)], [(400, 1000, 3000, 9000), (1, 2, 5, 50)],
        [(10**7, 10**8, 10**7 - 5000, 10**8), (500, 10**4, 480, 10**4)],
        [(i + 2, 20 + 3 * i, 2 * i + 1, 25 + 2 * i) for i in range(12)],
    ]
    cases = []
    for tables in sets:
        arrays = [np.array([[x1, n1 - x1], [x0, n0 - x0]], float) for x1, n1, x0, n0 in tables]
        ratio = contingency_tables.StratifiedTable(arrays).riskratio_pooled
        top = bottom = spread = mp.mpf(0)
        for x1, n1, x0, n0 in tables:
            n = mp.mpf(n1 + n0)
            top, bottom = top + x1 * n0 / n, bottom + x0 * n1 / n
            spread += ((x1 + x0) * n1 * n0 - x1 * x0 * n) / n**2
        error = mp.sqrt(spread / (top * bottom))
        z = critical(0.95)
        interval = (top / bottom * mp.e ** (-z * error), top / bottom * mp.e ** (z * error))
        cases.append(([v for table in tables for v in table], (ratio, *interval)))
    write("mantel-haenszel", "statsmodels StratifiedTable, interval in mpmath", cases)


def interacted(tables):
    """The treatment's effect and its variance, by least squares with an indicator of each stratum.

    With centred indicators and all their interactions with the treatment the coefficient is the
    post-stratified difference, and its robust variance (HC0) the one given the strata's sizes.
    """
    rows, weights = [], []
    people = np.array([n1 + n0 for _, n1, _, n0 in tables], float)
    shares = people / people.sum()
    for k, (x1, n1, x0, n0) in enumerate(tables):
        for treated, x, n in ((1, x1, n1), (0, x0, n0)):
            inside = (np.arange(1, len(tables)) == k) - shares[1:]
            for outcome, count in ((1, x), (0, n - x)):
                rows += [[outcome, 1, treated, *inside, *(treated * inside)]] * count
    data = np.array(rows, float)
    fit = OLS(data[:, 0], data[:, 1:]).fit(cov_type="HC0")
    return fit.params[1], fit.cov_params()[1, 1]


def post_strata():
    sets = [
        [(56, 70, 48, 80)], [(25, 60, 13, 52), (20, 40, 30, 70), (9, 90, 8, 100)],
        [(40, 200, 31, 180), (150, 210, 120, 190), (20, 25, 28, 30)],
        [(400, 1000, 3000, 9000), (30, 50, 70, 150)],
        [(i + 2, 30 + 3 * i, 2 * i + 1, 35 + 2 * i) for i in range(8)],
    ]
    cases = []
    for tables in sets:
        estimate, variance = interacted(tables)
        whole = [tuple(int(sum(column)) for column in zip(*tables))]
        gain = interacted(whole)[1] / variance - 1
        people = mp.mpf(sum(n1 + n0 for _, n1, _, n0 in tables))
        shares = [(n1 + n0) / people for _, n1, _, n0 in tables]

        def total(supposed, compare, tables=tables, shares=shares):
            # The parts of each stratum's statistic: score = distance / sqrt(variance).
            top = bottom = mp.mpf(0)
            for share, (x1, n1, x0, n0) in zip(shares, tables):
                off = supposed if compare == "difference" else supposed * mp.mpf(x0) / n0
                distance = mp.mpf(x1) / n1 - off
                distance -= mp.mpf(x0) / n0 if compare == "difference" else 0
                z = score(x1, n1, x0, n0, supposed, compare)
                top += share * distance
                bottom += share**2 * (distance / z) ** 2
            return top / mp.sqrt(bottom)
        rates = [sum(s * mp.mpf(t[i]) / t[i + 1] for s, t in zip(shares, tables)) for i in (0, 2)]
        row = [estimate, gain]
        z = critical(0.95)
        for compare, middle, ends in (
            ("difference", rates[0] - rates[1], (mp.mpf(-1), mp.mpf(1))),
            ("ratio", rates[0] / rates[1], (mp.mpf("0.01"), mp.mpf(50))),
        ):
            shift = 0 if compare == "difference" else 1
            low, high = middle - (middle - ends[0]) * mp.mpf("0.9"), ends[1] * mp.mpf("0.9")
            row.append(bisect(lambda d: total(d, compare) - z, low, middle) - shift)
            row.append(bisect(lambda d: total(d, compare) + z, middle, high) - shift)
        cases.append(([v for table in tables for v in table], row))
    write("post-stratified", "statsmodels OLS with HC0; score interval in mpmath", cases)


def interactions():
    """Cochran's Q of differences and of log ratios; the smaller has the larger p-value."""
    sets = [
        [(56, 70, 48, 80), (30, 60, 40, 70)],
        [(25, 60, 13, 52), (20, 40, 30, 70), (12, 90, 18, 100)],
        [(400, 1000, 3000, 9000), (300, 500, 700, 1500), (80, 400, 95, 420)],
        [(20 + i, 60 + 5 * i, 25 + 2 * i, 70 + 4 * i) for i in range(8)],
    ]
    cases = []
    for tables in sets:
        x1, n1, x0, n0 = np.array(tables, float).T
        p1, p0 = x1 / n1, x0 / n0
        row = [
            meta_analysis.combine_effects(effects, variances).test_homogeneity().statistic
            for effects, variances in (
                (p1 - p0, p1 * (1 - p1) / n1 + p0 * (1 - p0) / n0),
                (np.log(p1 / p0), (1 - p1) / x1 + (1 - p0) / x0),
            )
        ]
        row.append(stats.chi2.sf(min(row), len(tables) - 1))
        cases.append(([v for table in tables for v in table], row))
    write("interaction", "statsmodels combine_effects", cases)


def survivals():
    rng = np.random.default_rng(3)
    curves, incidences = [], []
    for size, last in ((5, 4), (30, 10), (200, 15), (2000, 40)):
        times = rng.integers(1, last + 1, size)
        causes = rng.choice([0, 1, 2, 3], size, p=[0.4, 0.3, 0.2, 0.1])
        # One of the rarest cause for certain; and the last to be seen is censored, as where nobody
        # is left statsmodels says NaN.
        times, causes = np.append(times, [1, last + 1]), np.append(causes, [3, 0])
        flat = []
        for time in np.unique(times):
            here = causes[times == time]
            flat += [time, *(int((here == c).sum()) for c in (1, 2, 3, 0))]
        curve = SurvfuncRight(times, (causes > 0).astype(int))
        band = stats.ecdf(stats.CensoredData.right_censored(times, causes == 0)).sf
        band = band.confidence_interval(0.95, method="log-log")
        for i, time in enumerate(curve.surv_times):
            if curve.n_events[i] == 0:
                continue
            low, high = band.low.evaluate(time), band.high.evaluate(time)
            curves.append(
                ((time, *flat), (curve.surv_prob[i], curve.surv_prob_se[i], low, high)))
        ends = CumIncidenceRight(times, causes)
        for i, time in enumerate(ends.times):
            if (causes[times == time] > 0).any():
                values = [x for c in range(3) for x in (ends.cinc[c][i], ends.cinc_se[c][i])]
                incidences.append(((time, *flat), values))
    write("kaplan-meier", "statsmodels SurvfuncRight, interval by scipy ecdf", curves)
    write("cumulative-incidence", "statsmodels CumIncidenceRight", incidences)


# Quantiles against a reference's ---------------------------------------------------------------


def exceedances():
    cases = []
    for n, m in ((7, 5), (40, 60), (120, 120), (300, 300), (120, 2000), (5000, 900)):
        for share in (0.5, 0.75, 0.9, 0.99):
            rank = max(1, math.ceil(share * m - 1e-9))
            # From the top: observations before the (m - rank + 1)-th of the others.
            law = stats.nhypergeom(n + m, n, m - rank + 1)
            middle = n * (m - rank + 1) / (m + 1)
            for count in {round(middle * factor) for factor in (0.5, 0.9, 1, 1.1, 1.4, 2)}:
                if 0 < count <= n:
                    below = math.comb(n + m, n)
                    exact = sum(
                        math.comb(x + m - rank, x) * math.comb(n - x + rank - 1, n - x)
                        for x in range(count, n + 1))
                    chance = mp.mpf(exact) / below
                    if n + m <= 600:
                        assert abs(law.sf(count - 1) - float(chance)) < 1e-9
                    cases.append(((n, m, share, count), (chance,)))
    write("exceedance", "scipy nhypergeom up to 600 of both, whole numbers beyond", cases)


# Planning -------------------------------------------------------------------------------------


def planning():
    chances, sizes = [], []
    for rate, difference in (
        (0.6, 0.02), (0.6, -0.02), (0.1, 0.01), (0.02, 0.005), (0.9, 0.05), (0.5, 0.25),
    ):
        for n1, n0 in ((200, 200), (2000, 2000), (1000, 9000), (10**8, 10**8)):
            for alpha in (0.05, 0.005):
                power = proportion.power_proportions_2indep(
                    difference, rate, n1, n0 / n1, alpha, return_results=False)
                chances.append(((rate + difference, rate, n1, n0, alpha), (power,)))
        for ratio in (1, 0.25, 3):
            for alpha, power in ((0.05, 0.8), (0.01, 0.9)):
                # statsmodels counts its ratio as second group over first, and gives the first.
                size = proportion.samplesize_proportions_2indep_onetail(
                    difference, rate, power, 1 / ratio, alpha, alternative="two-sided")
                sizes.append(((rate + difference, rate, ratio, alpha, power), (math.ceil(size),)))
    write("power", "statsmodels power_proportions_2indep", chances)
    write("sample-size", "statsmodels samplesize_proportions_2indep_onetail, rounded up", sizes)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    one_proportion()
    two_proportions()
    families()
    splits()
    poisson_drops()
    margins()
    means()
    ratios()
    clusters()
    breaks()
    trends()
    posteriors()
    lift_posteriors()
    sequences()
    durations()
    strata()
    post_strata()
    interactions()
    survivals()
    exceedances()
    planning()
    print("total:", total, PACKAGES)
