#!/usr/bin/env python3
"""usage: fault.py KSPOT FAULT.SO ROOT
Runs kspot with one call to the system made to fail, for calls sampled over whole runs. Whatever happens kspot ends
by itself, not with success and half a result: either the run is as if nothing had failed, or its status is not 0,
and a message with a code says why where standard error works.
FAULT_ALL=1 in the environment tries every call."""
import errno
import os
import re
import shutil
import subprocess
import sys
import tempfile

KSPOT, FAULT, ROOT = (os.path.abspath(p) for p in sys.argv[1:4])
MOST = 10**9 if os.environ.get("FAULT_ALL") else 24
MESSAGE = re.compile(r"^(kspot|\S+): error: .*\[KS\d{4}\]$", re.M)
EINTR, SHORT = str(errno.EINTR), "0"

COMMANDS = [
    ["plan", "-f", "tests/golden/plan/generic/cluster", "-o", "json"],
    ["plan", "-f", "scenarios/spot-to-spot/nodepool.yaml", "-f", "scenarios/spot-to-spot/nodeclass.yaml",
     "-f", "scenarios/spot-to-spot/inflate.yaml"],
    ["disrupt", "-R", "-f", "tests/golden/disrupt/one-round/cluster", "--settle"],
    ["check", "-f", "tests/golden/check/findings/in.yaml", "-f", "tests/golden/check/list/in.json", "-o", "sarif"],
    ["catalog", "check", "tests/golden/catalog/check/dir"],
    ["catalog", "import", *(f"tests/golden/catalog/import/{n}.json"
                            for n in ("types", "zones", "offerings", "spot", "prices")), "--into", "OUT"],
]
# How a call of each kind fails.
KINDS = {
    "malloc": [errno.ENOMEM],
    "read": [errno.EIO, EINTR, SHORT],
    "write": [errno.EIO, errno.ENOSPC, EINTR, SHORT],
    "close": [errno.EIO, EINTR],
    "open": [errno.EMFILE, errno.EACCES, EINTR],
    "fstat": [errno.EIO],
    "opendir": [errno.EMFILE],
    "readdir": [errno.EIO],
}


def run(command, fault, out):
    env = dict(os.environ, LD_PRELOAD=os.environ.get("LD_PRELOAD", "") + " " + FAULT, FAULT=fault, LC_ALL="C",
               ASAN_OPTIONS="verify_asan_link_order=0:allocator_may_return_null=1:detect_leaks=0")
    shutil.rmtree(out, ignore_errors=True)
    got = subprocess.run([KSPOT, *(out if a == "OUT" else a for a in command)], cwd=ROOT, env=env, timeout=60,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False,
                         close_fds=False)
    files = {n: open(os.path.join(out, n), "rb").read() for n in os.listdir(out)} if os.path.isdir(out) else {}
    return got.returncode, got.stdout, got.stderr.decode(errors="replace"), files


def count(command, kind, out):
    """How many calls of a kind a run makes."""
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)
    os.environ["FAULT_FD"] = str(writer)
    run(command, kind + ":0", out)
    os.close(writer)
    del os.environ["FAULT_FD"]
    with os.fdopen(reader) as f:
        return int(f.read() or 0)


def sample(n):
    if n <= MOST:
        return range(1, n + 1)
    return sorted({1 + round(i * (n - 1) / (MOST - 1)) for i in range(MOST)})


def verdict(whole, got, kind, how):
    """What is wrong with a run, compared with the one that nothing happened to; None when nothing is."""
    rc, out, err, files = got
    if got == whole:
        return None
    if rc < 0 or "Sanitizer" in err or "runtime error" in err or "internal error" in err:
        return f"it crashed: status {rc}"
    if how in (EINTR, SHORT):
        return "it was to be tried again"
    if rc == 0 or rc == whole[0]:
        return f"status {rc}, as if nothing had happened"
    # The C library runs out too: of a directory that cannot be opened for it the status is 1.
    if kind == "malloc" and rc not in (70, 1):
        return f"status {rc}, wanted 70"
    if kind != "malloc" and rc != 1:
        return f"status {rc}, wanted 1"
    if out == whole[1] and out and kind not in ("write", "close"):
        return "the result is there all the same"
    if not MESSAGE.search(err) and not (kind == "write" and not err):
        return "no message"
    if files and kind != "write" and set(files) != set(whole[3]):
        return "files were left: " + " ".join(sorted(files))
    if any(n.endswith(".new") for n in files):
        return "an unfinished file was left"
    return None


def main():
    number = failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        out = os.path.join(scratch, "out")
        for command in COMMANDS:
            whole = run(command, "none:1", out)
            for kind, ways in KINDS.items():
                calls, tried, wrong = count(command, kind, out), 0, []
                for n in sample(calls):
                    for how in ways:
                        try:
                            got = run(command, f"{kind}:{n}:{how}", out)
                            why = verdict(whole, got, kind, str(how))
                        except subprocess.TimeoutExpired:
                            got, why = None, "it hangs"
                        tried += 1
                        if why:
                            wrong.append(f"{kind} {n} of {calls} with {how}: {why}\n{got and got[2]}")
                number += 1
                failed += bool(wrong)
                print("\n".join("# " + line for w in wrong[:5] for line in w.splitlines()[:6]) + "\n" if wrong else "",
                      end="")
                print(f"{'not ok' if wrong else 'ok'} {number} - {' '.join(command[:2])} {command[-1]}: {kind}, "
                      f"{tried} faults, {calls} calls{'' if calls else ' # SKIP none'}", flush=True)
    print(f"1..{number}")
    return failed > 0


sys.exit(main())
