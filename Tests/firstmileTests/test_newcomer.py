"""What somebody meets who has a dump and has never seen the program."""

import json

import pytest

from harness import SAMPLE, firstmile, report

START = 1_770_000_000
SCREENS = ["Login", "Plan", "Done"]


def canonical(name, second, **properties):
    return {"event": name, "timestamp": START + second, "user_id": f"u{second // 100}",
            "properties": properties}


def segment(event, second, **properties):
    call = "screen" if event == "screen" else "track"
    named = {"name": properties.pop("name")} if call == "screen" else {"event": event}
    return {"type": call, "messageId": f"m{second}", "userId": f"u{second // 100}", "context": {},
            "timestamp": f"2026-02-02T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z",
            "properties": properties, **named}


def mixpanel(name, second, **properties):
    return {"event": name, "properties": {"time": START + second, "distinct_id": f"u{second // 100}",
                                          **properties}}


def posthog(name, second, **properties):
    return {"uuid": str(second), "event": name, "distinct_id": f"u{second // 100}",
            "timestamp": f"2026-02-02 {second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}",
            "properties": properties}


def amplitude(name, second, **properties):
    return {"event_type": name, "user_id": f"u{second // 100}", "$insert_id": str(second),
            "event_time": f"2026-02-02 {second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}",
            "event_properties": properties}


def ga4(name, second, **properties):
    return {"event_name": name, "event_timestamp": str((START + second) * 1_000_000),
            "user_pseudo_id": f"u{second // 100}",
            "event_params": [{"key": key, "value": {"string_value": value}}
                             for key, value in properties.items()]}


# How each tool says that a screen is seen, and what its export is called here.
SCREEN_VIEWS = {
    "ga4": (ga4, lambda screen: ("screen_view", {"firebase_screen": screen})),
    "posthog": (posthog, lambda screen: ("$screen", {"$screen_name": screen})),
    "segment": (segment, lambda screen: ("screen", {"name": screen})),
    "amplitude": (amplitude, lambda screen: (
        "[Amplitude] Screen Viewed", {"[Amplitude] Screen Name": screen})),
    "mixpanel": (mixpanel, lambda screen: ("$mp_page_view", {"current_page_title": screen})),
    "an event each, named first": (canonical, lambda screen: (f"Screen: {screen}", {})),
    "an event each, named last": (mixpanel, lambda screen: (f"{screen} Screen Viewed", {})),
    "an event each at posthog": (posthog, lambda screen: (f"Screen: {screen}", {})),
    "an event each at segment": (segment, lambda screen: (f"{screen} Screen Viewed", {})),
    "an event each at amplitude": (amplitude, lambda screen: (f"Screen: {screen}", {})),
    "an event each at ga4": (ga4, lambda screen: (f"{screen}_screen_viewed", {})),
}


@pytest.mark.parametrize("name", SCREEN_VIEWS)
def test_screens_become_pages(folder, name):
    event, view = SCREEN_VIEWS[name]
    lines = []
    for person in range(4):
        # One leaves after each screen but the last.
        for place, screen in enumerate(SCREENS[:person + 1]):
            kind, properties = view(screen)
            lines.append(event(kind, 100 * person + 10 * place, **properties))
    dump = folder / "dump.ndjson"
    dump.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "flow.yaml").write_bytes(firstmile("flow", "init", dump).stdout)
    report([dump], folder / "out", "--as-of", "2026-03-01", flow=folder / "flow.yaml")
    rows = [line.split(",") for line in (folder / "out/metrics.csv").read_text().splitlines()]
    reach = {row[7]: row[8:10] for row in rows
             if row[6] == "step_reach" and row[1:6] == ["all"] * 5}
    assert reach == {"Login": ["4", "4"], "Plan": ["3", "4"], "Done": ["2", "4"]}


FLOW = """flow: shop
window: 1h
steps: [welcome, plna, finish]
permissions: [camera]
experiments: {copy: {control: A, variants: [A, C]}}
goals: [{id: bought, event: purchase_complete}]
"""


def against(folder, *lines, more="", expect=0):
    (folder / "shop.yaml").write_text(FLOW + more)
    (folder / "dump.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return firstmile("flow", "check", folder / "shop.yaml", "--against", folder / "dump.ndjson",
                     expect=expect).stdout.decode()


def test_a_flow_is_held_against_a_dump(folder):
    variant = {"experiment": "copy", "variant": "B"}
    said = against(
        folder, canonical("onboarding_page_viewed", 1, page_name="welcome") | variant,
        canonical("onboarding_page_viewed", 2, page_name="plan"),
        canonical("Purchase Completed", 3), canonical("opened", 4), expect=1)
    first, second = said.split("in the dumps, and not in the flow:\n")
    for words in ("step plna  is it 'plan'?", "step finish\n", "permission camera\n",
                  "event onboarding_completed\n", "event purchase_complete  is it 'Purchase Completed'?",
                  "variant copy=A", "variant copy=C"):
        assert words in first, said
    for words in ("page plan  1 time  is it 'plna'?", "event Purchase Completed  1 time",
                  "event opened  1 time", "variant copy=B  1 time"):
        assert words in second, said


def test_a_misspelt_dimension_or_background_event_is_named(folder):
    """Nobody has a value of the one, and the other counts as coming back."""
    event = canonical("heartbeat", 1) | {"context": {"country": "JP"}}
    wrong = against(folder, event, more="dimensions: [cuontry]\nnot_activity: [hearbeat, pushed]\n", expect=1)
    assert "  dimension context.cuontry\n" in wrong and "  not_activity hearbeat  is it 'heartbeat'?\n" in wrong
    assert "not_activity pushed" not in wrong
    right = against(folder, event, more="dimensions: [country]\nnot_activity: [heartbeat, pushed]\n", expect=1)
    assert "\n  dimension " not in right and "\n  not_activity " not in right, right


def test_a_flow_whose_names_are_all_there_is_fine(folder):
    variants = [{"experiment": "copy", "variant": variant} for variant in "AC"]
    said = against(
        folder, *(canonical("onboarding_page_viewed", place, page_name=page) | variants[place % 2]
                  for place, page in enumerate(("welcome", "plna", "finish"))),
        canonical("permission_result", 5, permission="camera", status="granted"),
        canonical("onboarding_completed", 6), canonical("purchase_complete", 7))
    assert "every step, event, permission, variant and dimension of the flow is in the dumps" in said
    assert "not in the flow" not in said


def test_misspelt_files_and_words_are_answered_with_the_right_ones(folder):
    (folder / "my-flow.yaml").write_text(FLOW)
    (folder / "events.ndjson").write_text(json.dumps(canonical("opened", 1)) + "\n")
    said = firstmile("report", "event.ndjson", "--flow", "my-flow.yaml", expect=2, cwd=folder)
    assert "event.ndjson: no such file or folder; did you mean 'events.ndjson'?" in said.stderr.decode()
    said = firstmile("report", "events.ndjson", "--flow", "my-flow.yml", expect=2, cwd=folder)
    assert "my-flow.yml: no such file; did you mean 'my-flow.yaml'?" in said.stderr.decode()
    said = firstmile("report", "events.ndjson", "--flow", "my-flow.yaml", "--format", "mixpanell",
                     expect=2, cwd=folder).stderr.decode()
    assert "Did you mean 'mixpanel'?" in said
    said = firstmile("ingest", "events.ndjson", "--store", "new.sqlite", expect=2, cwd=folder)
    assert "name a flow with --flow" in said.stderr.decode()
    assert not (folder / "new.sqlite").exists()


def test_a_share_of_1_is_said_to_be_everything(folder):
    said = report([f"sample-events/{SAMPLE}"], folder / "out", "--max-reject-rate", "1").stderr.decode()
    assert "1 is 100%, so everything is accepted; 1% is one in a hundred" in said
    said = report([f"sample-events/{SAMPLE}"], folder / "out", "--max-reject-rate", "1%").stderr.decode()
    assert "100%" not in said


def test_variants_are_compared_without_naming_the_only_experiment(folder):
    report([f"sample-events/{SAMPLE}"], folder / "out")
    both = [folder / "out", folder / "out"]
    short = firstmile("compare", *both, "--before", "variant=A", "--after", "variant=B").stdout
    full = firstmile("compare", *both, "--before", "experiment=copy", "--before", "variant=A",
                     "--after", "experiment=copy", "--after", "variant=B").stdout
    assert short == full


def test_the_page_is_named_last(folder):
    done = firstmile("report", f"sample-events/{SAMPLE}", "--flow", SAMPLE, "--out", folder / "out")
    assert done.stdout.decode().splitlines()[-1] == f"{folder}/out/report.html"


def test_the_built_in_flows_are_listed():
    said = firstmile("flow", "list").stdout.decode()
    assert [line.split(":")[0] for line in said.splitlines()] == [
        "memoss", "unforgotten", "aiq", "trendy", "dequeue"]
