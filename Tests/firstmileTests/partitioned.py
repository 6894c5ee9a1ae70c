"""A run on several machines, one step after the other on this one."""

import pathlib

from harness import firstmile


def divide(inputs, partitions, out, *options, flow, **more):
    return firstmile("partition", *inputs, "--flow", flow, "--partitions", partitions, "--out", out,
                     "--quiet", *options, **more)


def stitched(segments, out, flow, *options):
    return firstmile("stitch", segments, "--flow", flow, "--out", out, *options)


def tallied(segments, folder, flow, *, as_of=(), options=()):
    """The steps behind `partition`; the folder of tallies."""
    stitched(segments, folder / "stitched", flow, *as_of)
    firstmile("survey", segments, folder / "stitched", "--flow", flow, "--out", folder / "surveys",
              *as_of)
    firstmile("tally", segments, folder / "stitched", "--flow", flow, "--surveys",
              folder / "surveys", "--out", folder / "tallies", *as_of, *options)
    return folder / "tallies"


def reported(tallies, out, flow, *options, **more):
    return firstmile("report", "--tallies", tallies, "--flow", flow, "--out", out, "--quiet",
                     *options, **more)


def report_of_parts(tasks, partitions, folder, flow, *, partition_options=(), expect=0, **more):
    """The report of a run whose tasks read some inputs each."""
    folder = pathlib.Path(folder)
    for inputs in tasks:
        divide(inputs, partitions, folder / "segments", *partition_options, flow=flow,
               expect=(0, 4))
    tallies = tallied(folder / "segments", folder, flow, **more)
    reported(tallies, folder / "report", flow, expect=expect)
    return folder / "report"
