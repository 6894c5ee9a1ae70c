"""What machines exchange, with checksums that are right: as a program that wants to mislead writes it."""

import json
import struct

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
    seal = {"bytes": len(content), "checksum": format(checksum(content), "x"), "firstmile": kind, "version": 6}
    return json.dumps(seal).encode() + b"\n" + content + b"\n"


def crafted(document, kind, changes, folder):
    """Files of a tally or a survey in which one thing is different, whose checksum is right all the same."""
    for number, change in enumerate(changes):
        value = unsealed(document)
        change(value)
        path = folder / f"crafted-{number}.{kind}"
        path.write_bytes(sealed(value, kind))
        yield path


HEAD = struct.Struct("<6sHBBHIIIQQ")


def segments(content):
    """The segments of a file: (head, header, body) of each."""
    found = []
    while content:
        head = list(HEAD.unpack(content[:HEAD.size]))
        ends = HEAD.size + head[7], HEAD.size + head[7] + head[8]
        found.append((head, content[HEAD.size:ends[0]], content[ends[0]:ends[1]]))
        content = content[ends[1]:]
    return found


def sealed_segment(head, header, body):
    """The bytes of a segment of docs/segments.md."""
    start = [*head[:4], 0, *head[5:7], len(header), len(body)]
    start[4] = checksum(HEAD.pack(*start, 0)[:32]) & 0xFFFF
    first = HEAD.pack(*start, 0)[:32]
    whole = checksum(first + header + struct.pack("<Q", checksum(body)))
    return first + struct.pack("<Q", whole) + header + body
