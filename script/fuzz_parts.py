"""Rounds of `script/fuzz-store` that damage what a count in parts exchanges: segments, surveys, tallies."""

import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests/firstmileTests"))
from sealed_files import sealed, sealed_segment, segments, unsealed  # noqa: E402

FLOW = "aiq"
DAMAGES = 40
# What a crafted file may have in the place of a number, a text, a list.
VALUES = [0, 1, -1, 7, 255, 65536, 2**31, 2**40, 2**63 - 1, -2**63, 2**64, 1e300, 0.5, None, True, "", "a", "0",
          "9" * 60, [], {}, [[]], [-1], ["a"]]


class PartsRound:
    """A small count in parts, then copies of its files that are damaged, or crafted with right checksums.

    A damaged file is refused, or the report is the same as before; a crafted one ends with a documented
    exit code. Nothing traps or hangs.
    """

    def __init__(self, binary, folder, seed):
        self.binary, self.folder, self.seed = binary, folder, seed
        self.chance = random.Random(seed)

    def run(self, *arguments):
        done = subprocess.run(
            [self.binary, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL,
            capture_output=True, env=dict(os.environ, NO_COLOR="1"), timeout=120)
        return done.returncode, done.stderr.decode(errors="replace")

    def steps(self, place):
        """The steps behind `partition`, by what they make."""
        flow = ("--flow", FLOW)
        return {
            "stitched": ("stitch", place / "segments", *flow, "--out", place / "stitched"),
            "surveys": ("survey", place / "segments", place / "stitched", *flow, "--out", place / "surveys"),
            "tallies": ("tally", place / "segments", place / "stitched", *flow, "--surveys", place / "surveys",
                        "--out", place / "tallies"),
            "report": ("report", "--tallies", place / "tallies", *flow, "--out", place / "report", "--quiet",
                       "--max-reject-rate", "100%"),
        }

    def prepare(self):
        code, said = self.run("simulate", "--flow", FLOW, "--persons", self.chance.choice((8, 25)), "--seed",
                              self.seed, "--files", 3, "--out", "dump", "--quiet")
        assert code == 0, said
        self.sound = self.folder / "sound"
        code, said = self.run("partition", "dump", "--flow", FLOW, "--partitions", 2, "--out",
                              self.sound / "segments", "--quiet", "--max-reject-rate", "100%")
        assert code == 0, said
        for command in self.steps(self.sound).values():
            code, said = self.run(*command)
            assert code == 0, said
        self.expected = self.report(self.sound)

    def report(self, place):
        return {path.name: path.read_bytes() for path in sorted((place / "report").iterdir()) if path.is_file()}

    # Damages

    def damaged(self, content, other):
        """The file with a mistake that its checksum does not know; what was done."""
        chance = self.chance
        kind = chance.choice(("flip", "truncate", "splice", "cut", "repeat", "other", "noise"))
        place, end = sorted(chance.randrange(len(content) + 1) for _ in range(2))
        if kind == "flip":
            changed = bytearray(content)
            for _ in range(chance.choice((1, 1, 4))):
                changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
            return bytes(changed), kind
        return {
            "truncate": content[:place], "splice": content[:place] + other[place:],
            "cut": content[:place] + content[end:], "repeat": content + content[place:],
            "other": other, "noise": content[:place] + chance.randbytes(end - place) + content[end:],
        }[kind], kind

    def crafted(self, path):
        """The file with another value somewhere, or other bytes, whose checksum is right."""
        chance, content = self.chance, path.read_bytes()
        if path.suffix != ".segments":
            value = unsealed(content)
            what = self.change(value)
            return sealed(value, path.suffix[1:]), what
        found = segments(content)
        number = chance.randrange(len(found))
        head, header, body = found[number]
        kind = chance.choice(("header", "header", "body", "head", "drop", "twice"))
        if kind == "header":
            value = json.loads(header)
            kind += " " + self.change(value)
            header = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        elif kind == "body" and body:
            body = self.damaged(body, body)[0]
        elif kind == "head":
            # The kind, the partition, how many there are.
            head[chance.choice((2, 5, 6))] = chance.choice((0, 1, 2, 3, 4, 5, 6, 7, 255))
        found[number:number + 1] = {"drop": [], "twice": [(head, header, body)] * 2}.get(
            kind, [(head, header, body)])
        return b"".join(sealed_segment(*one) for one in found), f"segment {number}: {kind}"

    def change(self, value):
        """Puts another value into the place of one inside of this one; where."""
        chance, path = self.chance, []
        while True:
            keys = sorted(value) if isinstance(value, dict) else range(len(value))
            if not keys:
                return "nothing"
            key = chance.choice(keys)
            path.append(str(key))
            if isinstance(value[key], (dict, list)) and value[key] and chance.random() < 0.9:
                value = value[key]
                continue
            new = chance.choice(VALUES)
            if isinstance(value[key], int) and chance.random() < 0.3:
                new = value[key] + chance.choice((-1, 1))
            if chance.random() < 0.15:
                del value[key]
                return f"{'.'.join(path)} is gone"
            value[key] = new
            return f"{'.'.join(path)} = {str(new)[:40]}"

    # What must hold

    def judge(self, place):
        kinds = ("segments", "stitched", "surveys", "tallies")
        made = self.chance.choice(kinds)
        files = sorted((place / made).iterdir())
        path = self.chance.choice(files)
        is_crafted = self.chance.random() < 0.5
        if is_crafted:
            content, what = self.crafted(path)
        else:
            content, what = self.damaged(path.read_bytes(), self.chance.choice(files).read_bytes())
        path.write_bytes(content)
        what = f"{made}/{path.name}, {'crafted' if is_crafted else 'damaged'}: {what}"
        (place / "report").rename(place / "before")
        steps = list(self.steps(place).items())
        for name, command in steps[kinds.index(made):]:
            code, said = self.run(*command)
            assert code in (0, 2, 4), f"{what}: {name} ends with {code}\n{said[-1500:]}"
            if code == 2:
                assert said.strip(), f"{what}: {name} ends with 2 and says nothing"
                return
        if not is_crafted:
            found = self.report(place)
            assert found == self.expected, f"{what}: nothing is said, and the report is another"

    def play(self):
        self.prepare()
        for _ in range(DAMAGES):
            place = self.folder / "damaged"
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(self.sound, place)
            self.judge(place)
        return f"{DAMAGES} damages of files of a count in parts"
