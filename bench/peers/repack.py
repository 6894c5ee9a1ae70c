"""The same lines in another compression, or in one file.

    python repack.py FOLDER OUTPUT gzip|zstd|none SINGLE(yes|no)

zstd needs the command of that name. Does nothing if the output is there already.
"""
import glob
import os
import shutil
import subprocess
import sys


def main():
    source, target, compression, single = sys.argv[1:5]
    if os.path.isdir(target):
        return
    suffix, command = {
        "gzip": (".gz", ["gzip", "-6", "-c"]),
        "zstd": (".zst", ["zstd", "-3", "-q", "-c"]),
        "none": ("", ["cat"]),
    }[compression]
    part = target + ".part"
    shutil.rmtree(part, ignore_errors=True)
    os.makedirs(part)
    paths = sorted(glob.glob(os.path.join(source, "*.ndjson.gz")))
    groups = [paths] if single == "yes" else [[path] for path in paths]
    for group in groups:
        name = "all.ndjson" if single == "yes" else os.path.basename(group[0])[: -len(".gz")]
        with open(os.path.join(part, name + suffix), "wb") as output:
            text = subprocess.Popen(["gzip", "-dc", *group], stdout=subprocess.PIPE)
            subprocess.run(command, stdin=text.stdout, stdout=output, check=True)
            if text.wait() != 0:
                sys.exit("a file can't be inflated")
    os.rename(part, target)


if __name__ == "__main__":
    main()
