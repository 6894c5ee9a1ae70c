"""Prints what the program that has everything inside consists of, as an SPDX 2.3 document.

    python3 packaging/sbom.py VERSION LINKED_FROM

LINKED_FROM is what `script/link-program --static` writes beside the program. Run in the package's folder.
"""

import datetime
import json
import pathlib
import re
import sys

from inside import output, parts

ROOT = pathlib.Path(__file__).resolve().parent.parent
LICENCES = re.compile(r"^\| \[?([A-Za-z0-9-]+)\]?.*\| ([^|]+) \|$")
# Names of docs/dependencies.md whose licences are other than their words.
IDENTIFIERS = {"MIT": "MIT", "Apache 2.0": "Apache-2.0", "curl": "curl", "zlib": "Zlib",
               "Apache 2.0 with runtime exception": "Apache-2.0 WITH Swift-exception",
               "BSD 2-clause": "BSD-2-Clause", "BSD 3-clause": "BSD-3-Clause",
               "BSD 3-clause (or GPL 2)": "BSD-3-Clause", "public domain": "blessing"}


def licences():
    """Licences by name, as docs/dependencies.md states them."""
    found = {}
    for line in (ROOT / "docs/dependencies.md").read_text().splitlines():
        match = LICENCES.match(line)
        if match:
            found[match[1].lower()] = IDENTIFIERS.get(match[2].strip(), "NOASSERTION")
    return found


def package(name, version, licence, kind):
    return {"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", f"{kind}-{name}"), "name": name,
            "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION"}


def main():
    version, linked_from = sys.argv[1:]
    known = licences()
    made = datetime.datetime.fromtimestamp(int(output("git", "log", "-1", "--format=%ct")),
                                           datetime.timezone.utc)
    own = package("firstmile", version, "Apache-2.0", "program")
    found = [package(part.name, part.version,
                     known.get(part.name.lower().removesuffix(".swift"), "NOASSERTION"), part.kind)
             for part in parts(linked_from)]
    print(json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"firstmile-{version}",
        "documentNamespace": f"https://example.com/firstmile/{version}/"
                             + output("git", "rev-parse", "HEAD").strip(),
        "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": ["Tool: packaging/sbom.py"]},
        "packages": [own, *found],
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                           "relatedSpdxElement": own["SPDXID"]}]
                         + [{"spdxElementId": own["SPDXID"], "relationshipType": "DEPENDS_ON",
                             "relatedSpdxElement": part["SPDXID"]} for part in found],
    }, indent=1))


main()
