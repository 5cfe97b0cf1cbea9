#!/usr/bin/env python3
"""Compares decisions with the recorded ones beside this file; prints TAP.

usage: compare.py KSPOT [CASES [CATALOG]]

A case is CASES/NAME.yaml, the input, and NAME.json, what Karpenter decided on it. Every field that the recording has must be
in kspot's answer with the same value; kspot may say more. Order counts only where it means something. Inputs without an
InstanceTypeSet use the catalogue. By default the cases are those in cases/, and the catalogue is catalog/.
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
COMMAND = {"Plan": ["plan"], "Disruption": ["disrupt"], "InstanceTypes": ["catalog", "types"]}
# Lists whose order means nothing.
UNORDERED = {"nodeClaims", "existingNodes", "pods", "requirements", "taints", "startupTaints", "candidates", "commands",
             "replacements", "emptiness", "staticDrift", "drift", "multi", "single", "conditions", "events", "types"}


def canonical(value, key=""):
    if isinstance(value, dict):
        return {k: canonical(v, k) for k, v in value.items()}
    if isinstance(value, list):
        items = [canonical(v) for v in value]
        return sorted(items, key=sort_key) if key in UNORDERED else items
    return value


def sort_key(value):
    """What an element of an unordered list is known by, so that fields only one side has do not matter."""
    if isinstance(value, dict):
        known = [value.get(k) for k in ("key", "object", "name", "nodeClaim", "reason", "operator", "values", "message",
                                        "effect", "value", "candidates", "pods")]
        if "nodePool" in value:
            known = [value["nodePool"], value.get("pods"), value.get("instanceTypes")]
        return json.dumps(known, sort_keys=True)
    return json.dumps(value, sort_keys=True)


def differences(want, got, path=""):
    if isinstance(want, dict) and isinstance(got, dict):
        for k, v in want.items():
            if v in ("", [], {}, None) and k not in got:
                continue
            if k not in got:
                yield f"{path}/{k}: missing"
            else:
                yield from differences(v, got[k], f"{path}/{k}")
        if path.endswith(("/podErrors", "/labels", "/annotations", "/errors", "/requests")):
            yield from (f"{path}/{k}: not recorded" for k in got if k not in want)
    elif isinstance(want, list) and isinstance(got, list):
        if len(want) != len(got):
            yield f"{path}: {len(got)} elements, {len(want)} recorded"
        for i, (w, g) in enumerate(zip(want, got)):
            yield from differences(w, g, f"{path}/{i}")
    elif isinstance(want, str) and isinstance(got, dict):
        yield from differences(want, got.get("message"), path + "/message")
    elif want != got and not path.endswith("/terminationGracePeriod") and not path.endswith("/expireAfter"):
        yield f"{path}: {got!r}, recorded {want!r}"


def compare(kspot, base, catalog):
    with open(base + ".json", encoding="utf-8") as f:
        want = json.load(f)
    with open(base + ".yaml", encoding="utf-8") as f:
        generic = "InstanceTypeSet" in f.read()
    argv = [kspot, *COMMAND[want["kind"]], "-f", base + ".yaml", "-o", "json"]
    if not generic:
        argv += ["--catalog", catalog]
    run = subprocess.run(argv, capture_output=True, timeout=60, check=False)
    if run.returncode:
        return [f"exit status {run.returncode}: {run.stderr.decode(errors='replace')[:300]}"]
    return list(differences(canonical(want), canonical(json.loads(run.stdout))))


def main():
    cases = sys.argv[2] if len(sys.argv) > 2 else os.path.join(HERE, "cases")
    catalog = sys.argv[3] if len(sys.argv) > 3 else os.path.join(HERE, "catalog")
    names = sorted(n[:-5] for n in os.listdir(cases) if n.endswith(".json"))
    failed = 0
    for i, name in enumerate(names, 1):
        found = compare(sys.argv[1], os.path.join(cases, name), catalog)
        for line in found[:10]:
            print("#", line)
        print("not ok" if found else "ok", i, "-", name)
        failed += bool(found)
    print(f"1..{len(names)}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
