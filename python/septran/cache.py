"""Compiled kernels on disk, by what they were made of.

    inputs/KEY.json   KEY says how a kernel is made; the file says of which files, with their hashes
    kernels/HASH/     the kernel that these files make, and a manifest with a hash of each of its files

Nobody but the user may write there. Folders appear whole, by renaming, so that processes need no
locks: of two that make the same kernel one is first. What does not agree with its manifest is made
anew."""

import hashlib
import json
import os
import pathlib
import shutil
import stat
import tempfile

from .errors import CacheError

_MANIFEST = "manifest.json"


def default_folder():
    """$SEPTRAN_CACHE_DIR, or septran in the user's cache folder."""
    if os.environ.get("SEPTRAN_CACHE_DIR"):
        return pathlib.Path(os.environ["SEPTRAN_CACHE_DIR"])
    base = os.environ.get("XDG_CACHE_HOME", "")
    # The specification ignores relative paths there: the current folder is not to be trusted.
    if not os.path.isabs(base):
        base = pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "septran"


def hash_of_file(path):
    """SHA-256, or None if there is no such file."""
    digest = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            for part in iter(lambda: file.read(1 << 20), b""):
                digest.update(part)
    except OSError:
        return None
    return digest.hexdigest()


def hash_of(value):
    """SHA-256 of anything that JSON can write."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


class Cache:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder).absolute()
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as problem:
            raise CacheError(f"cannot make the cache folder {self.folder}: {problem}") from problem
        self._check(self.folder)
        for name in ("inputs", "kernels"):
            (self.folder / name).mkdir(mode=0o700, exist_ok=True)
            self._check(self.folder / name)

    @staticmethod
    def _check(folder):
        found = os.lstat(folder)
        if not stat.S_ISDIR(found.st_mode):
            raise CacheError(f"{folder} is no folder; expected one for compiled kernels")
        if found.st_uid != os.geteuid():
            raise CacheError(f"the cache folder {folder} belongs to another user; expected one of "
                             "your own, which SEPTRAN_CACHE_DIR names")
        if found.st_mode & 0o077:
            raise CacheError(f"the cache folder {folder} is open to others; expected mode 0700")

    def scratch(self):
        """A new folder beside the kernels, which `keep` renames or `drop` removes."""
        return pathlib.Path(tempfile.mkdtemp(prefix="making-", dir=self.folder))

    def drop(self, folder):
        shutil.rmtree(folder, ignore_errors=True)

    def find(self, key):
        """The files of the kernel that was made like this of files that are still the same, as
        {name: bytes}, and its folder; or None."""
        try:
            inputs = json.loads((self.folder / "inputs" / (key + ".json")).read_text())
            files = inputs["files"]
            if not all(hash_of_file(path) == wanted for path, wanted in files.items()):
                return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        return self._load(self._kernel(key, files))

    def keep(self, key, made, files):
        """Moves the folder `made`, a kernel made of `files`, to its place. Gives what find gives."""
        for path in sorted(made.iterdir()):
            if path.is_file():
                with open(path, "rb") as file:
                    os.fsync(file.fileno())
        self._write(made / _MANIFEST, {path.name: hash_of_file(path)
                                       for path in sorted(made.iterdir()) if path.is_file()})
        place = self._kernel(key, files)
        for _ in range(8):
            try:
                os.rename(made, place)
                break
            except OSError:
                loaded = self._load(place)  # another process was first
                if loaded:
                    self.drop(made)
                    break
                self._put_away(place)
        else:
            raise CacheError(f"cannot put a kernel into the cache folder {self.folder}")
        self._write(self.folder / "inputs" / (key + ".json"), {"files": files})
        return self._load(place)

    def _kernel(self, key, files):
        return self.folder / "kernels" / hash_of([key, files])

    def _load(self, folder):
        """Only what the manifest says, byte for byte."""
        try:
            self._check(folder)
            manifest = json.loads((folder / _MANIFEST).read_text())
            content = {}
            for name, wanted in manifest.items():
                data = (folder / name).read_bytes()
                if "/" in name or hashlib.sha256(data).hexdigest() != wanted:
                    return None
                content[name] = data
            return (folder, content) if content else None
        except (OSError, ValueError, AttributeError, TypeError, CacheError):
            return None

    def _put_away(self, folder):
        """Renames first, so that no process sees a part of it."""
        try:
            away = pathlib.Path(tempfile.mkdtemp(prefix="broken-", dir=self.folder))
            os.rename(folder, away / "kernel")
            self.drop(away)
        except OSError:
            pass  # another process did it

    @staticmethod
    def _write(path, value):
        handle, name = tempfile.mkstemp(prefix=".", dir=path.parent)
        with os.fdopen(handle, "w") as file:
            json.dump(value, file, indent=1, sort_keys=True)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
