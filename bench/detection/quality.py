#!/usr/bin/env python3
"""Recall, precision and F1 of secret scanners on labelled files, side by side.

    quality.py --corpus DIR [--tool NAME[=COMMAND]]... [--split all|tune|test] [--json]

DIR holds data/ and meta/*.csv as CredData lays them out (see collect.py). NAME is one of the tools below; COMMAND
replaces the command line it is run by. A tool that is not installed is left out and named. Tools, as run by default:

    postern         ./postern scan --format json data
    secretlint      npx --no-install secretlint --format json --no-terminalLink --secretlintrcJSON ... "data/**/*"
    gitleaks        gitleaks dir data --report-format json --report-path -
    betterleaks     betterleaks dir data --report-format json --report-path -
    detect-secrets  detect-secrets scan --all-files data

What is counted. A label T is one credential: file, first and last line. It is found (TP) when a tool reports a place
that shares a line with it, else missed (FN). A reported line that shares a line with no T is a false alarm (FP):
`labelled` counts those that people looked at and labelled F or X, `all` counts every one, also where nobody looked.
Split: a repository belongs to `tune` when its name, a hex number, is even, to `test` when it is odd; rules were tuned
on `tune` only. Only counts are printed, never a line of a file.
"""

import argparse
import collections
import csv
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

SECRETLINTRC = json.dumps({"rules": [{"id": "@secretlint/secretlint-rule-preset-recommend"}]})
COMMANDS = {
    "postern": ["./postern", "scan", "--format", "json", "data"],
    "secretlint": ["npx", "--no-install", "secretlint", "--format", "json", "--secretlintrcJSON", SECRETLINTRC,
                   "--secretlintignore", "/dev/null", "data/**/*"],
    "gitleaks": ["gitleaks", "dir", "data", "--no-banner", "--report-format", "json", "--report-path", "/dev/stdout"],
    "betterleaks": ["betterleaks", "dir", "data", "--no-banner", "--report-format", "json", "--report-path", "/dev/stdout"],
    "detect-secrets": ["detect-secrets", "scan", "--all-files", "data"],
}


def relative(corpus, path):
    return os.path.relpath(os.path.join(corpus, path), corpus)


def lines_of(corpus, path, start, end, cache={}):
    """First and last line of the characters [start, end) of a file."""
    if path not in cache:
        with open(os.path.join(corpus, path), "rb") as file:
            text = file.read().decode("utf-8", "replace")
        # Java counts a character beyond U+FFFF as two.
        wide = any(ord(c) > 0xFFFF for c in text)
        cache.clear()
        cache[path] = text.encode("utf-16-le") if wide else text
    text = cache[path]
    if isinstance(text, bytes):
        newline = "\n".encode("utf-16-le")
        before, within = text[: start * 2], text[start * 2: end * 2]
        return before.count(newline) + 1, before.count(newline) + within.count(newline) + 1
    first = text.count("\n", 0, start) + 1
    return first, first + text.count("\n", start, end)


def postern(corpus, output):
    for finding in json.loads(output)["findings"]:
        path = relative(corpus, finding["path"])
        yield (path, *lines_of(corpus, path, finding["start"], finding["end"]))


def secretlint(corpus, output):
    for result in json.loads(output):
        path = relative(corpus, result["filePath"])
        for message in result["messages"]:
            location = message["loc"]
            yield path, location["start"]["line"], location["end"]["line"]


def gitleaks(corpus, output):
    for finding in json.loads(output):
        yield relative(corpus, finding["File"]), finding["StartLine"], finding["EndLine"]


def detect_secrets(corpus, output):
    for path, findings in json.loads(output)["results"].items():
        for finding in findings:
            yield relative(corpus, path), finding["line_number"], finding["line_number"]


READERS = {"postern": postern, "secretlint": secretlint, "gitleaks": gitleaks, "betterleaks": gitleaks,
           "detect-secrets": detect_secrets}


def labels(corpus, split):
    """path -> list of (first line, last line, is a credential, category)"""
    found = collections.defaultdict(set)
    for meta in glob.glob(os.path.join(corpus, "meta", "*.csv")):
        parity = int(os.path.basename(meta)[:8], 16) % 2
        if split != "all" and parity != (split == "test"):
            continue
        with open(meta, newline="") as rows:
            for row in csv.DictReader(rows):
                path = row["FilePath"]
                if os.path.exists(os.path.join(corpus, path)):
                    found[path].add((int(row["LineStart"]), int(row["LineEnd"]), row["GroundTruth"] == "T", row["Category"]))
    return found


def score(labelled, reported, misses=None, alarms=None):
    tp = fn = fp_labelled = fp_unlabelled = 0
    by_path = collections.defaultdict(set)
    for path, first, last in reported:
        by_path[path].add((first, last))
    for path, marks in labelled.items():
        places = by_path.get(path, set())
        credentials = {(first, last) for first, last, true, _ in marks if true}
        for first, last in credentials:
            if any(a <= last and first <= b for a, b in places):
                tp += 1
            else:
                fn += 1
                if misses is not None:
                    misses.append((path, first, last, [c for f, l, t, c in marks if (f, l, t) == (first, last, True)][0]))
        others = {line for first, last, true, _ in marks if not true for line in range(first, last + 1)}
        lines = set()
        for a, b in places:
            if not any(a <= last and first <= b for first, last in credentials):
                lines.add(a)
        fp_labelled += len(lines & others)
        fp_unlabelled += len(lines - others)
        if alarms is not None:
            alarms.extend((path, line, line in others) for line in sorted(lines))
    return tp, fn, fp_labelled, fp_unlabelled


def ratios(tp, fn, fp):
    recall = tp / (tp + fn) if tp + fn else 0
    precision = tp / (tp + fp) if tp + fp else 0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0
    return recall, precision, f1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--tool", action="append", help="NAME or NAME=COMMAND; default: all that are installed")
    parser.add_argument("--split", choices=["all", "tune", "test"], default="all")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--show", help="write places missed and false alarms of each tool to this directory")
    options = parser.parse_args()
    corpus = os.path.abspath(options.corpus)

    labelled = labels(corpus, options.split)
    credentials = sum(len({(f, l) for f, l, t, _ in marks if t}) for marks in labelled.values())
    others = sum(len({(f, l) for f, l, t, _ in marks if not t}) for marks in labelled.values())
    print(f"{len(labelled)} files, {credentials} credentials, {others} look-alikes (split: {options.split})", file=sys.stderr)

    rows = []
    for tool in options.tool or COMMANDS:
        name, _, command = tool.partition("=")
        arguments = shlex.split(command) if command else list(COMMANDS[name])
        if arguments[0].startswith("./"):
            arguments[0] = os.path.abspath(arguments[0])
        if shutil.which(arguments[0]) is None:
            print(f"{name}: not installed, left out", file=sys.stderr)
            continue
        run = subprocess.run(arguments, cwd=corpus, capture_output=True)
        try:
            reported = set(READERS[name](corpus, run.stdout.decode("utf-8", "replace")))
        except (ValueError, KeyError) as error:
            print(f"{name}: no result ({type(error).__name__}), left out", file=sys.stderr)
            print(run.stderr.decode("utf-8", "replace")[-500:], file=sys.stderr)
            continue
        misses, alarms = [], []
        tp, fn, fp_labelled, fp_unlabelled = score(labelled, reported, misses, alarms)
        rows.append((name, tp, fn, fp_labelled, fp_unlabelled))
        if options.show:
            os.makedirs(options.show, exist_ok=True)
            with open(os.path.join(options.show, name + ".json"), "w") as out:
                json.dump({"misses": misses, "alarms": alarms}, out)

    if options.json:
        print(json.dumps([dict(zip(("tool", "tp", "fn", "fp_labelled", "fp_unlabelled"), row)) for row in rows]))
        return
    print("| tool | found | missed | false alarms, labelled | precision | recall | F1 | false alarms, all | precision | F1 |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, tp, fn, fp_labelled, fp_unlabelled in rows:
        recall, precision, f1 = ratios(tp, fn, fp_labelled)
        _, precision_all, f1_all = ratios(tp, fn, fp_labelled + fp_unlabelled)
        print(f"| {name} | {tp} | {fn} | {fp_labelled} | {precision:.3f} | {recall:.3f} | {f1:.3f} "
              f"| {fp_labelled + fp_unlabelled} | {precision_all:.3f} | {f1_all:.3f} |")


if __name__ == "__main__":
    main()
