"""Collects the certificates and openings that ship with the program."""
import hashlib

#: The certificate that always ships, as precomp/SHA256SUMS names it.
CERTIFICATE = "proofs/bin7x6.proof"


class NoKnowledge(Exception):
    """The certificate is missing, or is not the recorded one."""


def knowledge(precomp):
    """The certificate, the openings, and the lists of those that are checked: bytes by the path that each has
    below the folder of data (docs/commands.md)."""
    certificate = precomp / CERTIFICATE
    if not certificate.is_file():
        raise NoKnowledge(f"{certificate} is missing; \"git checkout -- precomp/{CERTIFICATE}\" brings it back, and "
                          "\"make RULES=bin7x6 record-proof\" proves it anew in some minutes")
    sums = dict(line.split("  ")[::-1] for line in (precomp / "SHA256SUMS").read_text().splitlines())
    if hashlib.sha256(certificate.read_bytes()).hexdigest() != sums.get(CERTIFICATE):
        raise NoKnowledge(f"{certificate} is not the one that precomp/SHA256SUMS names; if it was proved anew, run "
                          "\"make result\"")
    files = [certificate, *(precomp / "openings").glob("*.opening")]
    found = {f"{path.parent.name}/{path.name}": path.read_bytes() for path in files}
    lists = {f"{folder.name}/checked": checked(folder, files) for folder in {path.parent for path in files}}
    return found | {path: lines for path, lines in lists.items() if lines}


def checked(folder, files):
    """The lines of a folder's list of checked files (docs/format.md) that are about these files."""
    listed = folder / "checked"
    lines = listed.read_text(encoding="utf-8").splitlines(keepends=True) if listed.is_file() else []
    names = {path.name for path in files if path.parent == folder}
    return "".join(line for line in lines if line.rstrip().partition(" ")[2] in names).encode()
