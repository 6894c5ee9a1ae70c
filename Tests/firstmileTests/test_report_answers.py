"""What a page answers without the help of anybody who knows it: whose each figure is, what is marked, and by what."""

import csv
import html
import json
import math
import re

import pytest

from harness import APPS, ROOT, firstmile, report


def page(folder):
    text = (folder / "report.html").read_text(encoding="utf-8")
    return re.sub(r"<style>.*?</style>|<script>.*?</script>", "", text, flags=re.S)


def words(markup):
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", markup)).replace("\u202f", " ").split())


def section(text, name):
    return re.search(f'<section id="{name}".*?</section>', text, re.S)[0]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("answers")
    for app in APPS:
        report([f"sample-events/{app}"], folder / app, flow=app)
    return folder


@pytest.fixture(scope="module")
def pages(made):
    return {app: page(made / app) for app in APPS}


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def releases(tmp_path_factory):
    """People of four releases, whose names are not in the order of their letters."""
    folder = tmp_path_factory.mktemp("releases")
    (folder / "shop.yaml").write_text("flow: shop\nsteps: [welcome, done]\ndimensions: [app_version]\n")
    lines = []
    for release, finish, count in (("1.10.0", 90, 120), ("1.9.0", 60, 120), ("1.2.0", 61, 120), ("1.1.0", 100, 120)):
        for person in range(count):
            common = {"user_id": f"{release}-{person}", "context": {"app_version": release}}
            when = f"2026-03-{1 + person % 20:02}T10:00:0"
            lines.append(common | {"event": "onboarding_page_viewed", "timestamp": f"{when}0Z",
                                   "properties": {"page_name": "welcome"}})
            if person < finish:
                lines.append(common | {"event": "onboarding_completed", "timestamp": f"{when}5Z"})
    (folder / "dump.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    report([folder / "dump.ndjson"], folder / "out", "--as-of", "2026-04-30", flow=folder / "shop.yaml")
    return folder / "out"


def test_whether_a_release_changed_anything_is_answered(releases):
    said = words((releases / "report.md").read_text())
    claim = "Completion is higher with release 1.10.0 than with 1.9.0: 50.0 % → 75.0 %"
    assert claim in said.replace("**", ""), said
    assert "an observation, not an experiment" in said
    trends = section(page(releases), "trends")
    table = re.search(r'<figure[^>]*id="breakdowns/app_version">.*?</figure>', trends, re.S)[0]
    assert "<details" not in trends[:trends.index('id="breakdowns/app_version"')].rpartition("</details>")[2]
    assert re.findall(r"<th><bdi>(1\.\d+\.0)</bdi>", table) == ["1.1.0", "1.2.0", "1.9.0", "1.10.0"]
    # In the colours of what is worse and of what is better.
    assert re.findall(r'<span class="tag ?(\w*)">(higher|lower|no clear change)<', table) == [
        ("bad", "lower"), ("", "no clear change"), ("good", "higher")]


def test_each_dimension_of_releases_has_its_changes(folder):
    (folder / "shop.yaml").write_text(
        "flow: shop\nsteps: [welcome, done]\ndimensions: [app_version, {id: shell, path: properties.app_version}]\n")
    lines = []
    for app, shell, finish in (("1.0", "7", 90), ("1.0", "8", 90), ("2.0", "7", 20), ("2.0", "8", 20)):
        for person in range(100):
            common = {"user_id": f"{app}-{shell}-{person}", "context": {"app_version": app}}
            when = f"2026-03-{1 + person % 20:02}T10:00:0"
            lines.append(common | {"event": "onboarding_started", "timestamp": f"{when}0Z",
                                   "properties": {"app_version": shell}})
            if person < finish:
                lines.append(common | {"event": "onboarding_completed", "timestamp": f"{when}5Z"})
    (folder / "dump.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    report([folder / "dump.ndjson"], folder / "out", "--as-of", "2026-04-30", flow=folder / "shop.yaml")
    said = words((folder / "out/report.md").read_text()).replace("**", "")
    assert "Completion is lower with release 2.0 (app_version) than with 1.0: 90.0 % → 20.0 %" in said, said
    assert "Release 8 (shell): no clear change in completion, 55.0 % → 55.0 % after 7" in said, said
    for dimension, verdict in (("app_version", "lower"), ("shell", "no clear change")):
        table = re.search(rf'<figure[^>]*id="breakdowns/{dimension}">.*?</figure>', page(folder / "out"), re.S)[0]
        assert re.findall(r'<span class="tag ?\w*">([^<]*)<', table) == [verdict], dimension


def test_the_first_screen_says_whose_its_figures_are(pages):
    for app, text in pages.items():
        whose = words(re.search(r'<p class="whose">.*?</p>', text, re.S)[0])
        who, rest = re.split(r" ?\. In colour: ", whose)
        assert re.match(r"experiment \S[^,]*?, \S.* \d+ and \S.* \d+ ?(; the other \d+ have no variant)?$", rest), whose
        numbers = [int(number) for number in re.findall(r" (\d{1,3})(?= and | ?;|$| have)", rest)]
        tiles = re.findall(r"<dd class=\"small\">(.*?)</dd>", text, re.S)
        if app in ("trendy", "unforgotten"):
            # The headline is about a version, and so is what stands below it.
            own, everyone = re.fullmatch(r"Flow version 2 : (\d+) of (\d+) people", who).groups()
            assert sum(numbers) <= int(own) < int(everyone), whose
            assert f"of {own} " in words(tiles[0]), tiles[0]
            assert "everyone" in words(re.search(r'<dl class="tiles">.*?</dl>', text, re.S)[0])
        else:
            # Who is in colour and who has no variant are together everyone.
            everyone = re.fullmatch(r"Everyone: (\d+) people", who)[1]
            assert sum(numbers) == int(everyone), whose
            assert f"of {everyone} " in words(tiles[0]), tiles[0]
        headline = words(re.search(r"<h1.*?</h1>", text, re.S)[0])
        assert " version" not in headline.replace("flow version", ""), headline
        assert ("flow version" in headline) == (app in ("trendy", "unforgotten")), headline
        assert not re.search(r"(?<!flow )(?<!app_)\bversion [12]\b", words(section(text, "funnel"))), app


def test_one_release_under_two_names_is_found_once(folder):
    (folder / "shop.yaml").write_text(
        "flow: shop\nsteps: [welcome, done]\ndimensions: [app_version, {id: shell, path: properties.app_version}]\n")
    lines = []
    for release, finish in (("1.0", 90), ("2.0", 20)):
        for person in range(100):
            common = {"user_id": f"{release}-{person}", "context": {"app_version": release}}
            when = f"2026-03-{1 + person % 20:02}T10:00:0"
            lines.append(common | {"event": "onboarding_started", "timestamp": f"{when}0Z",
                                   "properties": {"app_version": release}})
            if person < finish:
                lines.append(common | {"event": "onboarding_completed", "timestamp": f"{when}5Z"})
    (folder / "dump.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    report([folder / "dump.ndjson"], folder / "out", "--as-of", "2026-04-30", flow=folder / "shop.yaml")
    said = words((folder / "out/report.md").read_text())
    assert said.count("lower with release 2.0") == 1, said


def test_versions_of_the_flow_are_told_from_releases(pages):
    for app, text in pages.items():
        has_versions = app in ("trendy", "unforgotten")
        for name in ("funnel", "trends"):
            assert ("which list of steps people were given" in words(section(text, name))) == has_versions, (app, name)


def test_a_marked_step_says_by_what_it_is_marked_and_every_bar_has_its_counts(pages):
    for app, text in pages.items():
        funnel = section(text, "funnel")
        assert len(re.findall(r'<li [^>]*class="worst"', funnel)) == 1
        mark = words(re.search(r'class="worst".*?<small>(.*?)</small>', funnel, re.S)[1])
        assert mark.startswith(("▼ Most", "▼ Highest rate")), mark
        assert ("▼ marks the largest count" in words(funnel)) == mark.startswith("▼ Most"), app
        for bar in re.findall(r'<b data-row=(\d+)v>[^<]*</b><i[^>]*></i><small>(.*?)</small>', funnel):
            assert re.fullmatch(rf'<span data-row={bar[0]}nd>\d+/\d+</span>', bar[1]), bar


def test_a_step_of_an_older_version_stands_where_that_version_has_it(pages):
    funnel = section(pages["unforgotten"], "funnel")
    steps = re.findall(r'<li id="funnel/(\w+)"', funnel)
    assert steps[:3] == ["welcome", "account_setup", "profile_setup"], steps
    first = section(pages["unforgotten"], "balance")
    titles = re.findall(r"<tr><th><bdi>([^<]*)</bdi>", first)
    assert titles[:3] == ["Welcome", "Account", "Profile"], titles


def test_words_of_outcomes_are_explained_where_they_stand(pages):
    for app, text in pages.items():
        said = words(section(text, "balance"))
        for term in ("Abandoned :", "Passed over :", "Declined :", "Went back :"):
            assert term in said, (app, term)
        assert 'href="#definitions"' in section(text, "balance")
        assert "furthest" in words(section(text, "ways")), app


def test_permissions_have_one_word_for_each_share(pages):
    for app, text in pages.items():
        said = words(section(text, "permissions"))
        if app in ("aiq", "dequeue"):
            assert said == "Permissions This flow asks for no permission.", said
            continue
        for name in ("Opt-in: granted at the first prompt, or before", "Asked by the system",
                     "Acceptance: granted at the first prompt, of those asked", "decided before, not asked"):
            assert name in said, (app, name)
        fills = re.findall(r'<rect class="(seg-\w+)" width="14"', section(text, "permissions"))
        assert len(fills) == len(set(fills)) * fills.count("seg-on"), fills


def test_a_target_that_the_losing_control_misses_is_not_in_the_way_of_the_winner(pages):
    sure = words(re.search(r'<p class="sure">.*?</p>', pages["dequeue"], re.S)[0])
    assert "missed" not in sure and "4 targets are undecided" in sure, sure
    targets = words(re.search(r'<div class="card" id="targets">.*?</div>', pages["dequeue"], re.S)[0])
    assert "Completion (5-screen flow, the control) at least 80 % 68.7 %" in targets, targets
    assert "lift over the control (3-screen flow) at least" in targets, "the whole name has room"


def test_times_have_words_of_their_own_where_they_are_no_targets(pages):
    found = set()
    for app, text in pages.items():
        for about in re.findall(r"<p>[^<]*(?:<span[^>]*>[^<]*</span>[^<]*)*; expected: [^<]*</p>", section(text, "time")):
            found.add(re.search(r"· (✓ as|✕ shorter than|✕ longer than|○ not clearly \w+ than) expected</p>$", about)[1])
        assert "✕ missed" not in words(section(text, "time")), app
    assert len(found) > 1, found


def test_a_reader_knows_which_rule_decides_where_two_intervals_stand_together(made, pages):
    """Dequeue's flow file plans no interim checks, AIQ's plans for checks at any time; the diary shows both intervals."""
    single = "Decide by it if this is your only look. If you have looked before, wait: the interval for repeated checks includes 0."
    for text in (pages["dequeue"], (made / "dequeue/report.md").read_text()):
        assert words(text).count(single) >= 2, "in the headline and in the decision"
    diary = words(section(pages["dequeue"], "experiments"))
    assert "no interim checks are planned, so this report counts as the only look" in diary and "still includes 0" in diary, diary
    diary = words(section(pages["aiq"], "experiments"))
    assert "Checks at any time are planned, so its interval allows for all of them" in diary, diary
    assert "no interim checks" not in words(pages["aiq"])
    # Beside every experiment, decided or not, so that two pages can be compared.
    for app, rule in (("aiq", "The verdict holds at every check: "), ("dequeue", "The verdict counts this report as the only look: ")):
        for text in (section(pages[app], "experiments"), (made / app / "report.md").read_text()):
            assert rule in words(text), app


def test_what_differs_most_stands_beside_completion(made, pages):
    """Unforgotten's experiment is undecided, and its clearest difference is not completion."""
    for text in (section(pages["unforgotten"], "findings"), (made / "unforgotten/report.md").read_text()):
        assert "Of what people of both did, the clearest difference so far: from day 7 to 30 retention, 18.0 % → 31.5 %." in words(text), text
    table = re.search(r"<caption>Each metric over everyone assigned.*?</table>", section(pages["unforgotten"], "experiments"), re.S)[0]
    heads = re.findall(r"<tr><th><bdi>(.*?)</bdi>", table)
    assert "Completion" in heads and "From day 7 to 30 retention" in heads, heads


def test_sections_below_a_headline_about_a_version_have_its_figures(pages):
    for app in ("trendy", "unforgotten"):
        tile = re.search(r"<dt>Notifications opt-in</dt><dd class=.big.><span[^>]*>(.*?)</span>", pages[app])[1]
        named = re.search(r"<caption>The three named rates.*?</table>", section(pages[app], "permissions"), re.S)[0]
        first = re.search(r"<tbody><tr><th><bdi>(.*?)</bdi><td[^>]*>(.*?)<td", named)
        assert first.groups() == ("flow version 2", tile), (app, first.groups(), tile)
        assert "Time to complete, flow version 2" in words(section(pages[app], "time"))
        days = re.search(r"<caption>Retention with counts.*?</table>", pages[app], re.S)[0]
        assert re.findall(r'<th class="n v"[^>]*><bdi>(.*?)</bdi>', days)[:2] == ["flow version 2", "everyone"], days
        for name in ("time", "retention"):
            assert "all flow versions" in words(section(pages[app], name)), (app, name)
        assert "people of all flow versions dropped off here" in words(section(pages[app], "funnel"))
    for app in ("aiq", "dequeue", "memoss"):
        assert "all flow versions" not in words(pages[app])


def test_a_step_that_is_marked_for_its_loss_says_that_people_did_its_goal(made, pages):
    said = "27 of 29 did “First stack” next"
    assert said in words(re.search(r'<li id="[^"]*" class="worst">.*?</a>', pages["dequeue"], re.S)[0])
    for text in (section(pages["dequeue"], "findings"), (made / "dequeue/report.md").read_text()):
        assert f"But {said}." in words(text)


def test_a_headline_about_a_version_says_so_and_so_do_the_figures_beside_it(made, pages):
    for app, version, people in (("unforgotten", "2", "273 of 373 people"), ("trendy", "2", "217 of 376 people")):
        sure = words(re.search(r'<p class="sure">.*?</p>', pages[app], re.S)[0])
        assert f"{people} have this version" in sure, sure
        assert f"{people} have this version" in (made / app / "report.md").read_text()
        (completion,) = re.findall(r'<div class="tile"><dt>Completion</dt>.*?</div>', pages[app], re.S)
        headline = words(re.search(r"<h1.*?</h1>", pages[app], re.S)[0])
        rate = float(re.match(r"Completion ([\d.]+) %", words(completion))[1])
        if app == "trendy":
            assert headline.strip().startswith("Goal “First event type” is lower with flow version 2: 51 % vs 72 %"), headline
        else:
            assert headline.strip().startswith(f"{rate:.0f} % of people finish flow version {version}"), (headline, rate)
            assert sure.partition(" who don’t finish ")[2].startswith("it."), sure
        funnel = words(section(pages[app], "funnel"))
        assert "▼ marks the largest count: " in funnel and f"flow version {version} , {people.split()[0]}" in funnel, funnel
        assert "only in flow version 1" in funnel and "not in this variant" in funnel, funnel


def test_everyone_whom_a_number_leaves_out_is_counted_where_it_stands(made, pages):
    for app, left in (("unforgotten", 12), ("trendy", 9), ("dequeue", 9), ("aiq", 9), ("memoss", 9)):
        said = f"{left} existing users left out"
        for text in (re.search(r'<p class="data">.*?</p>', pages[app], re.S)[0], section(pages[app], "balance"),
                     (made / app / "report.md").read_text()):
            assert said in words(text), (app, text[:300])
    tile = words(re.findall(r'<div class="tile"><dt>Notifications opt-in</dt>.*?</div>', pages["unforgotten"], re.S)[0])
    assert "120 of 273" in tile and "everyone 32.2 %" in tile, tile
    assert "; 103 of them count in everyone only" in words(section(pages["unforgotten"], "experiments"))


def test_a_flow_without_a_skip_says_so(made, pages):
    said = "This flow has no Skip that ends it: people finish it or abandon it."
    for app in APPS:
        is_without = app in ("trendy", "unforgotten")
        for text in (section(pages[app], "funnel"), (made / app / "report.md").read_text()):
            assert (said in words(text)) == is_without, app
        meanings = words(section(pages[app], "definitions"))
        assert ("Left by skipping" in meanings) != is_without and ("after a skip too" in meanings) == (
            app in ("dequeue", "aiq")), (app, meanings)


def test_one_word_is_of_one_thing(pages):
    """Who left by skipping isn't who used Skip; a step is reached, a permission is asked for."""
    tiles = words(re.search(r'<dl class="tiles">.*?</dl>', pages["dequeue"], re.S)[0])
    assert "Left by skipping 7.7 %" in tiles and "Skipped" not in tiles, tiles
    assert "8.5 % of people use Skip" in words(section(pages["dequeue"], "findings"))
    for app in ("memoss", "trendy", "unforgotten"):
        assert "reach" not in words(section(pages[app], "permissions")).lower(), app


def test_the_grade_names_experiments_as_people_do(pages):
    for app, name, title in (("trendy", "priming_order", "Order of the priming screens"), ("dequeue", "length", "Length of the flow")):
        reasons = words(re.search(r'<ul class="plain">.*?</ul>', section(pages[app], "quality"), re.S)[0])
        assert f"Experiment {title}: 0.3 % of people saw several variants." in reasons, reasons
        assert f"Experiment {name}" not in reasons, reasons


def test_people_who_leave_after_denying_stand_beside_all_who_denied(pages):
    for app in ("trendy", "unforgotten", "memoss"):
        said = words(section(pages[app], "findings"))
        if "left right after denying" in said:
            assert re.search(r"Of the \d+ people who denied \w+ ?, [\d.]+ % left right then\.", said), said
            break
    else:
        raise AssertionError("no sample has the finding")


def test_terms_of_statistics_and_of_the_program_come_second(pages):
    for app, text in pages.items():
        said = words(text)
        assert "immature" not in said.replace("(immature)", ""), app
        before = words(text[:text.index('<section id="quality"')])
        for term in ("Holm", "Aalen", "Kaplan", "--as-of", "from cohort to cohort", "sequential"):
            assert term not in before, (app, term)
        assert "adjusted by Holm’s method" in said, app
        assert "look-back" not in words(re.search(r"<header.*?</header>", text, re.S)[0]), app


def test_steps_whose_people_leave_after_denying_are_found(made, pages):
    """Of the newest version, where people of others are there and enough of it are concerned."""
    found = set()

    def after_denying(table, version):
        steps = [row for row in table if row["version"] == version
                 and {row[key] for key in ("variant", "cohort", "breakdown")} == {"all"}]
        steps = [(int(row["of_which_after_denial"] or 0), int(row["abandoned"] or 0)) for row in steps]
        steps = [(denied, left) for denied, left in steps if denied * 2 > left]
        return tuple(sum(numbers) for numbers in zip(*steps)) if steps else (0, 0)

    for app in APPS:
        table = rows(made / app / "steps.csv")
        versions = sorted({row["version"] for row in table} - {"all", "(none)"})
        scope = versions[-1] if len(versions) > 1 and after_denying(table, versions[-1])[0] >= 10 else "all"
        denied, left = after_denying(table, scope)
        assert (f"Flow version {scope}: {denied} of the" in words(section(pages[app], "findings"))) == (scope != "all"), app
        said = re.search(r"(\d+) of the (\d+) people lost at [^.]+ left right after denying", words(section(pages[app], "findings")))
        assert (said and tuple(map(int, said.groups()))) == ((denied, left) if denied >= 10 else None), app
        found.add(bool(said))
    assert found == {True, False}, "one of the samples should have the finding, and another not"


def test_nothing_is_said_of_skips_where_nobody_can_skip(made, pages):
    for app in APPS:
        numbers = rows(made / app / "metrics.csv")
        zeros = {row["metric"] for row in numbers} & {"skip_share", "step_left_skipping", "p_used_skip_rate"}
        cuts = any(row["breakdown"].startswith("used_skip=") for row in numbers)
        flow = (ROOT / f"flows/{app}.yaml").read_text(encoding="utf-8")
        can = "skip: never" not in flow
        assert bool(zeros) == cuts == can, (app, zeros, cuts)
        # A gate may watch that nobody skips.
        assert "used_skip_rate" in {row["metric"] for row in numbers}, app
        assert ("left skipping" in words(section(pages[app], "balance")).lower()) == (can and "leads_to" not in flow), app


@pytest.mark.parametrize(("dates", "said"), [
    ("", "Running, with people since the week of 5 Jan 2026. No end date or sample size is set."),
    ("    end: 2026-03-01\n", "Ended 1 Mar 2026, with people since the week of 5 Jan 2026. Planned end: 2026-03-01 00:00 UTC."),
    ("    end: 2026-12-01\n", "Running, with people since the week of 5 Jan 2026. Planned end: 2026-12-01 00:00 UTC."),
    ("    start: 2026-01-19\n", "Running, since 19 Jan 2026. No end date or sample size is set."),
])
def test_an_experiment_says_since_when_it_runs_and_until_when(folder, dates, said):
    text = (ROOT / "flows/memoss.yaml").read_text(encoding="utf-8")
    (folder / "memoss.yaml").write_text(text.replace("    control: plain\n", "    control: plain\n" + dates, 1))
    report(["sample-events/memoss"], folder / "out", flow=folder / "memoss.yaml")
    assert said in words(section(page(folder / "out"), "experiments")).replace(" .", "."), dates
    # What is over needs nobody more.
    text, is_over = words(page(folder / "out")), "2026-03-01" in dates
    assert ("Over, and undecided: benefit" in text) == is_over and ("Too early to decide: benefit" in text) != is_over
    assert not is_over or "today’s pace" not in text


def test_people_read_words_and_not_the_names_of_programs(made, pages):
    """Names with underscores stand only where programs are meant: commands, columns, files, events as they are sent."""
    columns = r"(permission|retention)_\w+|furthest_step"
    for app, text in pages.items():
        text = re.sub(r"<code.*?</code>|<th[^>]*>In events<.*?</tbody>", "", text, flags=re.S)
        text = re.sub(r"\b\w+\.(csv|json|txt|gz)\b|These don’t count: [^.]*|without onboarding_started|“\w+” as furthest", "", words(text))
        raw = {name for name in re.findall(r"\b[a-z]+(?:_[a-z0-9]+)+\b", text) if not re.fullmatch(columns, name)}
        assert not raw, (app, raw)
        for file in ("report.md",):
            raw = set(re.findall(r"\b[a-z]+(?:_[a-z0-9]+)+\b", (made / app / file).read_text()))
            assert not raw, (app, file, raw)
    assert "Completion by OS, language, text size" in words(pages["memoss"])
    assert "Lines that could not be used: neither a user nor a device" in words(section(pages["memoss"], "quality"))
    assert "Durations by variant: 3-screen flow: to complete" in words(section(pages["dequeue"], "time"))
    friction = words(section(pages["unforgotten"], "retention"))
    assert "Code refused, by reason: already used" in friction and "Invalid code" in friction, friction
    assert "Funnel “to paid”" in friction and "1 Free tier viewed" in friction, friction


def test_one_person_is_one_person_and_a_tenth_of_few_is_nobody(pages):
    abouts = re.findall(r"<p>(?:<span[^>]*>)?(\d+)(?:</span>)? (people; median|person, after) (.*?)</p>", section(pages["unforgotten"], "time"))
    assert {int(count) for count, *_ in abouts} & {1, 3, 9} and len(abouts) > 10, abouts
    for count, noun, rest in abouts:
        assert (noun == "person, after") == (count == "1"), (count, noun)
        assert ("one in ten" in rest) == (int(count) >= 10), (count, rest)


def test_a_step_that_loses_many_says_on_which_devices_and_in_which_languages(tmp_path, pages):
    report(["sample-events/trendy"], tmp_path / "all", "--all-slices", flow="trendy")
    known = {}
    for row in json.loads((tmp_path / "all/metrics.json").read_text())["metrics"]["rows"]:
        if row["metric"] == "step_drop_off" and not row.keys() & {"version", "experiment", "variant", "cohort"}:
            known[row["step"], row.get("breakdown", "all")] = (row["numerator"], row["denominator"])
    found = 0
    for row in re.findall(r'<li id="funnel/.*?</li>', section(pages["trendy"], "funnel"), re.S):
        step = re.match(r'<li id="funnel/([^"]*)"', row)[1]
        groups = re.sub("</?span[^>]*>|</?b>", "", row.partition("Drop-off here by device, language and release")[2])
        enough = known[step, "all"][0] >= 20
        assert ("(" in groups) == enough and ("Too few people were lost here" in groups) == (not enough), step
        labels = {"OS": "os", "Language": "locale", "App version": "app_version"}
        for label, values in re.findall(r"<p><bdi>([^<]*)</bdi>: (.*?)</p>", groups):
            for value, left, reached in re.findall(r"<bdi>([^<]*)</bdi> [^(]*\((\d+)/(\d+)\)", values):
                assert known[step, f"{labels[label]}={value}"] == (int(left), int(reached)), (step, value)
                found += 1
    assert found >= 12, found


def test_numbers_of_two_groups_of_people_say_so(pages):
    """Where a reader would subtract one number from another and be left with a riddle."""
    memoss = words(section(pages["memoss"], "experiments"))
    assert "5 people have no variant; 3 of them count in everyone only, 2 joined too recently." in memoss, memoss
    asked = words(section(pages["memoss"], "permissions"))
    assert re.search(r"The 226 who opted in are the 203 who granted it when asked, and those of the 30 who had decided before and granted it then\.", asked), asked
    goals = words(section(pages["unforgotten"], "retention"))
    assert "Everyone includes 103 people without a variant (100 with flow version 1)." in goals
    assert "Everyone includes" not in words(section(pages["memoss"], "retention"))


def test_too_early_says_what_would_show_and_whether_waiting_helps(made, pages):
    said = ("No clear difference yet. Completion needs about 2 040 more people (≈ 67 weeks at today’s pace) to detect a 5 % lift "
            "(4.4 points). So far, only a rise of 9.6 or a fall of 15.2 points or more would show. If the true difference is the 6.4 points "
            "seen so far, about ")
    assert said in words(pages["memoss"])
    text = (made / "memoss/report.md").read_text()
    assert said.replace("2 040", "2,040") in text
    # Those who are there show a fall of 15.2 points: one of 6.4 takes more by the squares, and by the spread of the lower rate.
    rates = {row["variant"]: (float(row["value"]), int(row["denominator"])) for row in rows(made / "memoss/metrics.csv")
             if row["metric"] == "completion_rate" and row["variant"] in ("plain", "benefit")
             and row["breakdown"] == row["cohort"] == "all"}
    people, plain = sum(count for _, count in rates.values()), rates["plain"][0]
    spread = [plain * (1 - plain) + (plain - fall) * (1 - plain + fall) for fall in (0.064, 0.152)]
    missing = int(re.search(r"seen so far, about ([\d,]+) more people \(≈ \d+ weeks at today’s pace\) would probably show it", text)[1].replace(",", ""))
    assert abs(missing - people * ((15.2 / 6.4) ** 2 * spread[0] / spread[1] - 1)) < 0.1 * missing, (missing, people)


def test_a_link_says_where_it_leads_and_leads_there(pages):
    for app, words_of_link, target in [("dequeue", "Show the experiment", 'experiments/[^"]+'), ("unforgotten", "Show chart", "funnel"),
                                        ("trendy", "Show chart", 'retention/[^"]+')]:
        sure = re.search(r'<p class="sure">.*?</p>', pages[app], re.S)[0]
        assert re.search(rf'<a href="#{target}">{words_of_link}</a>', sure), sure
    # Of no step that stands out it is the funnel of all.
    found = re.findall(r"<li>(?:(?!</li>).)*No single step stands out.*?</li>", pages["memoss"], re.S)
    assert found and all('href="#funnel">' in item for item in found), found


def test_where_people_stay_longest_is_of_the_newest_version(pages):
    said = words(pages["unforgotten"])
    assert "Of the steps of flow version 2, people stay longest on Profile" in said and "stay longest on Account" not in said


def fisher(left, reached, all_left, all_reached):
    """Two-sided: the chance of every table that is no likelier than this one."""
    ways = [math.comb(reached, k) * math.comb(all_reached - reached, all_left - k) if 0 <= all_left - k else 0
            for k in range(reached + 1)]
    return sum(way for way in ways if way <= ways[left]) / math.comb(all_reached, all_left)


def holm(p_values):
    adjusted, most = [0] * len(p_values), 0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        most = max(most, p_values[place] * (len(p_values) - rank))
        adjusted[place] = most
    return adjusted


def test_a_group_that_a_step_loses_clearly_more_of_stands_out(made, releases):
    bold = 0
    for folder in [made / app for app in APPS] + [releases]:
        text = page(folder)
        totals = {row["step"]: (int(row["numerator"]), int(row["denominator"])) for row in rows(folder / "metrics.csv")
                  if row["metric"] == "step_drop_off" and row["denominator"]
                  and {row[name] for name in ("version", "variant", "cohort", "breakdown")} == {"all"}}
        for step, panel in re.findall(r'<li id="funnel/([^"]*)"(.*?)</li>', text, re.S):
            groups = re.findall(r"<(b|span)>([^<]*<bdi>.*?)\((.*?)\)</\1>", panel.partition("Drop-off here by")[2], re.S)
            found = [(kind, *map(int, words(count).replace(" ", "").split("/"))) for kind, _, count in groups]
            assert bool(found) == (totals[step][0] >= 20), (folder, step, found)
            judged = [(kind, left, reached) for kind, left, reached in found
                      if min(reached, totals[step][1] - reached) >= 20]
            assert all(kind == "span" for kind, *entry in found if (kind, *entry) not in judged)
            adjusted = holm([fisher(left, reached, *totals[step]) for _, left, reached in judged])
            assert [kind == "b" for kind, *_ in judged] == [p < 0.05 for p in adjusted], (folder, step, judged, adjusted)
            bold += sum(p < 0.05 for p in adjusted)
            closing = "In bold what differs" if any(p < 0.05 for p in adjusted) else "None differs clearly"
            assert closing in panel or not found, panel[-500:]
    # All four releases: 25, 50, 49 and 17 % are lost where everyone loses 35 %.
    assert bold >= 2


def test_where_no_step_stands_out_the_headline_says_what_can_be_acted_on(made, pages):
    report(["sample-events/trendy"], made / "newest", "--flow-version", "2", flow="trendy")
    sure = words(re.search(r'<p class="sure">.*?</p>', page(made / "newest"), re.S)[0])
    assert "18 people left right after denying a permission." in sure, sure
    for app in APPS:
        assert "after denying" not in words(re.search(r'<p class="sure">.*?</p>', pages[app], re.S)[0]), app
    said = firstmile("report", "sample-events/trendy", "--flow", "trendy", "--out", made / "index/trendy", "--index", made / "index",
                     "--rejects", made / "rejects.ndjson").stdout.decode()
    row = re.search(r"<tbody>.*?</tbody>", (made / "index/index.html").read_text(), re.S)[0]
    assert "18 people left right after denying a permission." in words(row), row
    # The terminal says of which version the headline is, and which steps only an earlier one has.
    assert re.search(r"flow version 2 .*66\.8 % \(145/217\)", said), said
    assert re.findall(r"^  (.*?) \(v1\) ", said, re.M) == ["First event type", "First event", "Permissions", "Finish"], said


def test_a_decision_names_its_open_targets_as_people_would(made, pages):
    said = "but the targets “completion at least 80 %” and “day 7 retention no lower than the control’s” are undecided."
    for text in (pages["dequeue"], (made / "dequeue/report.md").read_text()):
        assert said in words(text)


def test_findings_say_whose_they_are_where_versions_differ(pages):
    for app, text in pages.items():
        said = words(section(text, "findings"))
        for claim in ("Day 7 retention of everyone is", "Median time to finish of everyone is"):
            assert (claim in said) == (app in ("trendy", "unforgotten")), (app, claim)


def test_steps_that_people_decline_are_a_finding_where_nothing_else_is_of_skips(made, pages):
    for app, text in pages.items():
        assert ("is declined by" in words(section(text, "findings"))) == (app in ("trendy", "unforgotten")), app
    steps = {row["step"]: row for row in rows(made / "unforgotten/steps.csv") if all(row[cut] == "all" for cut in (
        "version", "experiment", "variant", "cohort", "breakdown"))}
    most = max((row for row in steps.values() if int(row["declined"] or 0) and int(row["viewed"]) >= 20),
               key=lambda row: int(row["declined"]) / int(row["viewed"]))
    assert f'{most["title"]} is declined by' in words(section(pages["unforgotten"], "findings")), most
    assert f'{most["declined"]} of {most["viewed"]}' in words(section(pages["unforgotten"], "findings")), most


def test_versions_name_the_steps_that_only_one_of_them_has(pages):
    said = words(section(pages["trendy"], "findings"))
    assert "Steps of version 2 only: Notifications, Location and Done; of version 1 only: First event type, First event, Permissions and Finish." in said, said
    assert "51" in said and "then 110 of" not in said and "Both versions were in use at the same time." in said, said


def test_a_path_is_forward_as_in_the_lists_of_those_who_took_it(made):
    """Half of the people of the experiment have two screens in the other order: both ways are forward."""
    kinds = {(row["from"], row["to"]): row["kind"] for row in rows(made / "trendy/transitions.csv")
             if all(row[cut] == "all" for cut in ("version", "experiment", "variant", "cohort")) and row["kind"] != "return"}
    assert kinds["notification_priming", "location_priming"] == "forward", kinds
    assert kinds["location_priming", "notification_priming"] == "forward", kinds
    assert "back" in kinds.values(), kinds


def test_a_decision_says_whether_to_wait(pages):
    waiting = "Waiting won’t settle this soon:"
    for app in ("memoss", "aiq", "trendy", "unforgotten"):
        said = words(section(pages[app], "findings"))
        assert waiting in said, (app, said)
        assert ("Keep it running." in said) != (waiting in said), app


def test_a_p_value_that_says_nothing_is_not_said(pages):
    for app, text in pages.items():
        assert "> 0.999" not in words(section(text, "findings")), app
    assert "adjusted p" in words(section(pages["dequeue"], "findings"))


def everyone(path, **slice):
    """Rows of a table that are cut by nothing but these columns."""
    cuts = {"version": "all", "variant": "all", "cohort": "all", "breakdown": "all", **slice}
    return [row for row in csv.DictReader(path.open()) if all(row[name] == value for name, value in cuts.items())]


def test_goals_stand_beside_each_version_of_the_flow(made, pages):
    seen = compared = 0
    for app in APPS:
        table = re.search(r"<caption>Goals with counts</caption>.*?</table>", pages[app], re.S)
        versions = [version for version in ("1", "2") if everyone(made / app / "goals.csv", version=version)]
        if not table or len(versions) < 2:
            continue
        seen += 1
        heads = [words(head) for head in re.findall(r"<th[^>]*>(.*?)(?=<th|</tr>)", table[0].split("</thead>")[0], re.S)]
        assert [head.strip() for head in heads[-2:]] == ["flow version 1", "flow version 2"], heads
        shown = [("of everyone" in words(row), *re.findall(r"<td[^>]*>([^<]*)", row)[-2:])
                 for row in table[0].split("<tr>")[2:]]
        rates = [[row["rate"] for row in everyone(made / app / "goals.csv", version=version, value="all")]
                 for version in versions]
        for (is_overall, *texts), wanted in zip(shown, zip(*rates)):
            # Goals of those who got that far have another denominator on the page.
            for text, rate in [] if is_overall else zip(texts, wanted):
                number = re.match(r"[\d.]+", text)
                assert bool(number) == bool(rate), (app, text, rate)
                assert not number or abs(float(number[0]) / 100 - float(rate)) < 0.00051, (app, text, rate)
                compared += bool(number)
    assert seen >= 2 and compared >= 8


def test_the_figure_of_opt_in_says_how_many_of_those_asked_said_yes(made, pages):
    (row,) = [row for row in everyone(made / "trendy/permissions.csv", version="2") if row["permission"] == "notifications"
              and row["among"] == "all"]
    tile = words(re.search(r"<dt>Notifications opt-in</dt>.*?</div>", pages["trendy"], re.S)[0])
    assert f"of {row['acceptance_of']} asked" in tile, tile
    assert f"{float(row['acceptance_rate']) * 100:.1f} %" in tile.replace("\N{NO-BREAK SPACE}", " "), tile
