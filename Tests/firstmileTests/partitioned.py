"""A run on several machines, one step after the other on this one."""

import json
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


WORD = (1 << 64) - 1


def mixed(state, word):
    product = ((state ^ word) * 0xFF51AFD7ED558CCD) & WORD
    return product ^ (product >> 32)


def checksum(content):
    """The checksum of docs/segments.md."""
    even, odd, place = 0x9E3779B97F4A7C15 ^ len(content), 0xC2B2AE3D27D4EB4F, 0
    while place + 16 <= len(content):
        even = mixed(even, int.from_bytes(content[place:place + 8], "little"))
        odd = mixed(odd, int.from_bytes(content[place + 8:place + 16], "little"))
        place += 16
    for byte in content[place:]:
        even = mixed(even, byte)
    return mixed(mixed(0, even), odd)


def unsealed(document):
    """What a tally or a survey holds."""
    return json.loads(document.split(b"\n")[1])


def sealed(value, kind):
    """A tally or a survey of this value, whose checksum is right."""
    content = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    seal = {"bytes": len(content), "checksum": format(checksum(content), "x"), "firstmile": kind, "version": 1}
    return json.dumps(seal).encode() + b"\n" + content + b"\n"
