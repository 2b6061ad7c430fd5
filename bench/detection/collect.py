#!/usr/bin/env python3
"""Lays out the labelled files of CredData from git clones that are already on this machine.

    collect.py --creddata DIR --clones DIR --out DIR

CredData (github.com/Samsung/CredData, Apache-2.0) holds labels and no files: each label names a repository, a
commit and the first eight hex digits of the SHA-256 of the file's path. This script reads those files from bare or
ordinary clones under --clones (any directory names; a clone is used if it has the commit), and writes them under
--out as CredData's own download would: OUT/data/<repository>/<scope>/<file id><extension>, with the labels beside
them in OUT/meta. Repositories without a clone are left out and counted. Files the labels do not name are not copied.
"""

import argparse
import binascii
import csv
import hashlib
import json
import os
import subprocess
import sys


def git(clone, *arguments):
    result = subprocess.run(["git", "-C", clone, *arguments], capture_output=True)
    return result.stdout if result.returncode == 0 else None


def clones_under(root):
    for folder, folders, files in os.walk(root):
        if "objects" in folders and "HEAD" in files:
            folders.clear()
            yield folder


def labelled_files(meta):
    with open(meta, newline="") as rows:
        return {row["FileID"]: row["FilePath"] for row in csv.DictReader(rows)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--creddata", required=True, help="checkout of CredData: snapshot.json and meta/")
    parser.add_argument("--clones", required=True, help="directory with git clones, at any depth")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()

    with open(os.path.join(options.creddata, "snapshot.json")) as snapshot:
        repositories = json.load(snapshot)
    by_name = {}
    for clone in clones_under(options.clones):
        by_name.setdefault(os.path.normpath(clone).lower(), clone)

    os.makedirs(os.path.join(options.out, "meta"), exist_ok=True)
    found = 0
    files = 0
    for repository, url in repositories.items():
        commit = repository[:40]
        name = f"{binascii.crc32(binascii.unhexlify(repository)):08x}"
        meta = os.path.join(options.creddata, "meta", name + ".csv")
        if not os.path.exists(meta):
            continue
        owner_and_name = url.lower().rstrip("/").split("/")[-2:]
        candidates = [c for n, c in by_name.items() if all(part in n for part in owner_and_name)]
        clone = next((c for c in candidates if git(c, "cat-file", "-e", commit) is not None), None)
        if clone is None:
            continue
        wanted = labelled_files(meta)
        written = set()
        listing = git(clone, "ls-tree", "-r", "-z", commit) or b""
        for entry in listing.split(b"\0"):
            if not entry:
                continue
            about, path = entry.split(b"\t", 1)
            mode, kind, blob = about.split()
            file_id = hashlib.sha256(path).hexdigest()[:8]
            if kind != b"blob" or mode == b"120000" or file_id not in wanted:
                continue
            content = git(clone, "cat-file", "blob", blob.decode())
            if content is None:
                continue
            target = os.path.join(options.out, wanted[file_id])
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as out:
                out.write(content)
            written.add(file_id)
        with open(meta, newline="") as rows, open(os.path.join(options.out, "meta", name + ".csv"), "w", newline="") as out:
            reader = csv.DictReader(rows)
            writer = csv.DictWriter(out, reader.fieldnames)
            writer.writeheader()
            writer.writerows(row for row in reader if row["FileID"] in written)
        found += 1
        files += len(written)
    print(f"{found} of {len(repositories)} repositories, {files} files", file=sys.stderr)


if __name__ == "__main__":
    main()
