"""polars: lazy scan with a schema, streaming, two groupings. usage: query_polars.py FILE..."""
import sys

import polars as pl

from questions import DAY, HORIZON, STEPS, answer

c = pl.col
SCHEMA = {
    "event": pl.String, "user_id": pl.String, "timestamp": pl.String, "variant": pl.String,
    "properties": pl.Struct({"page_name": pl.String, "completion_method": pl.String}),
}
page = c("properties").struct.field("page_name")
method = c("properties").struct.field("completion_method")
event = c("event")
CODES = [(event == "onboarding_page_viewed") & (page == step) for step in STEPS]


def code():
    chain = pl.when(CODES[0]).then(0)
    for number, condition in enumerate(CODES[1:], 1):
        chain = chain.when(condition).then(number)
    chain = chain.when(event == "onboarding_started").then(10)
    chain = chain.when(event == "onboarding_skipped").then(11)
    chain = chain.when((event == "onboarding_completed") & (method == "skipped")).then(13)
    chain = chain.when(event == "onboarding_completed").then(12)
    chain = chain.when(event.is_in(["push_delivered", "widget_refreshed"])).then(40)
    return chain.otherwise(30).cast(pl.UInt8)


facts = (
    pl.scan_ndjson(sys.argv[1:], schema=SCHEMA, low_memory=False)
    .select(
        c("user_id").hash().alias("person"),
        c("timestamp").str.to_datetime("%Y-%m-%dT%H:%M:%S%.3fZ", time_unit="ms")
        .dt.epoch("ms").alias("time"),
        pl.when(c("variant") == "long").then(1).when(c("variant") == "three_screen").then(2)
        .otherwise(0).cast(pl.UInt8).alias("variant"),
        code().alias("code"),
    )
    .filter(c("time") <= HORIZON)
    .collect(engine="streaming")
    .lazy()
)
entries = (
    facts.filter(c("code").is_in([0, 10])).group_by("person").agg(c("time").min().alias("entry"))
)
since = c("time") - c("entry")
ending = c("code").is_between(11, 13) & since.is_between(0, DAY)
back = c("code") < 40


def earliest(condition):
    return pl.when(condition).then(c("time")).min()


attempts = (
    facts.join(entries, on="person")
    .group_by("person")
    .agg(
        c("entry").first(), c("time").min().alias("first"),
        pl.when(ending).then(c("time") * 4 + c("code") - 11).min().alias("outcome"),
        *[earliest((c("code") == k) & (since >= 0)).alias(f"view{k}") for k in range(5)],
        earliest(c("variant") == 1).alias("long"), earliest(c("variant") == 2).alias("short"),
        (back & (since >= DAY) & (since < 2 * DAY)).any().alias("day1"),
        (back & (since >= 7 * DAY) & (since < 8 * DAY)).any().alias("day7"),
    )
    .filter(c("first") >= c("entry") - DAY)
    .with_columns(
        (c("outcome") // 4).fill_null(c("entry") + DAY).alias("ends"),
        (c("entry") + DAY <= HORIZON).alias("mature"),
    )
    .with_columns(
        (c("long") <= c("ends")).fill_null(False).alias("has_long"),
        (c("short") <= c("ends")).fill_null(False).alias("has_short"),
    )
)
mature = c("mature")
closed1, closed7 = (mature & (c("entry") + n * DAY <= HORIZON + 1) for n in (2, 8))
result = (
    attempts.group_by(
        pl.when(c("has_long") & c("has_short")).then(pl.lit("both"))
        .when(c("has_long")).then(pl.lit("long"))
        .when(c("has_short")).then(pl.lit("three_screen")).otherwise(pl.lit("none"))
        .alias("chosen")
    )
    .agg(
        pl.len().alias("entered"), mature.sum().alias("persons"),
        (mature & (c("outcome") % 4 == 1)).sum().alias("finished"),
        (mature & (c("outcome") % 4).is_in([0, 2])).sum().alias("skipped"),
        *[(mature & (c(f"view{k}") <= c("ends"))).sum().alias(f"reached{k}") for k in range(5)],
        (closed1 & c("day1")).sum().alias("back1"), closed1.sum().alias("of1"),
        (closed7 & c("day7")).sum().alias("back7"), closed7.sum().alias("of7"),
    )
    .collect(engine="streaming")
)
answer(result.rows())
