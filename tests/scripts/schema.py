#!/usr/bin/env python3
"""usage: schema.py KSPOT SOURCE-ROOT

What kspot prints with -o json agrees with the schemas that ship, for the scenarios and the golden cases. Prints TAP.
"""
import json
import os
import shlex
import subprocess
import sys

SCHEMAS = {"Plan": "plan.json", "Disruption": "disruption.json", "DisruptionRounds": "disruption-rounds.json",
           "Explanation": "explanation.json"}
TOPICS = ["disrupt", "explain", "plan"]


def commands(root):
    """Name, arguments and folder of every command line that plans something."""
    with open(os.path.join(root, "scenarios/README.md"), encoding="utf-8") as f:
        for line in f:
            if line.startswith("    kspot "):
                yield line.strip(), shlex.split(line)[1:], root
    golden = os.path.join(root, "tests/golden")
    for topic in TOPICS:
        for case in sorted(os.listdir(os.path.join(golden, topic))):
            folder = os.path.join(golden, topic, case)
            rc = os.path.join(folder, "rc")
            if os.path.exists(rc) and open(rc, encoding="utf-8").read().strip() == "1":
                continue
            with open(os.path.join(folder, "cmd"), encoding="utf-8") as f:
                yield f"{topic}/{case}", shlex.split(f.read()), folder


def main():
    kspot, root = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
    try:
        import jsonschema
    except ImportError:
        print("1..0 # SKIP no python3-jsonschema")
        return 0
    count = failed = 0
    for name, args, folder in commands(root):
        stdin = os.path.join(folder, "in")
        with open(stdin if os.path.exists(stdin) else os.devnull, "rb") as f:
            out = subprocess.run([kspot, *args, "-o", "json"], cwd=folder, stdin=f, capture_output=True, check=False).stdout
        try:
            document = json.loads(out)
            with open(os.path.join(root, "fixtures/schema", SCHEMAS[document["kind"]]), encoding="utf-8") as f:
                schema = json.load(f)
            jsonschema.Draft7Validator.check_schema(schema)
            errors = [e.message[:200] for e in jsonschema.Draft7Validator(schema).iter_errors(document)]
        except (ValueError, KeyError) as e:
            errors = [repr(e)]
        count += 1
        failed += bool(errors)
        for e in errors[:5]:
            print("#", e)
        print("not ok" if errors else "ok", count, "-", name)
    print(f"1..{count}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
