"""From a logic file and a mapping to a loaded kernel."""

import ctypes
import json
import operator
import os
import pathlib
import re
import shutil
import tempfile

from . import toolchain
from .cache import Cache, default_folder, hash_of, hash_of_file
from .errors import CompileError
from .kernel import Kernel

# How nvcc and hipcc are told what to compile for; who says it with the compiler's name means it.
_ARCHITECTURES = ("-arch=", "-gencode", "--gpu-architecture=", "--generate-code", "--offload-arch=")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def compile(logic_file, mapping_file=None, *, machine=None, entry=None, shapes=None, flags=(),
            machine_path=(), tune=None, tool=None, compiler=None, cache=True):
    """Compiles a task as a mapping says, and gives the Kernel.

    machine       name or file, instead of the mapping's; without a mapping, what one is derived for
    entry         the instance to begin with, instead of the mapping's entrypoint; without a mapping, the
                  task, if the file has several
    shapes        without a mapping: extents and integer arguments to derive it for, {"M": 1, "A[1]": [512, 4096]}
    flags         for septran-rewrite and the compiler, such as ["-I", "include", "-DN=4"]
    machine_path  folders in which machine names are looked for first
    tune          values of !tune points, {"gemm.tunables.tile_m": 64}
    tool          septran-rewrite, as a path (else $SEPTRAN_REWRITE, or found)
    compiler      of the generated source, as a path or a list with flags (else $CXX, or c++; for
                  CUDA $NVCC, or nvcc; for HIP $HIPCC, or hipcc)
    cache         True, False, or the folder in which compiled kernels are kept
    """
    request = _Request(logic_file, mapping_file, machine, entry, shapes, flags, machine_path, tune,
                       tool, compiler)
    if cache is False:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="septran-"))
        try:
            request.make(folder)
            content = {path.name: path.read_bytes() for path in folder.iterdir()}
            return request.load(folder, content)  # which stays loaded without its file
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    store = Cache(default_folder() if cache is True else cache)
    key = request.key()
    found = store.find(key)
    if not found:
        folder = store.scratch()
        try:
            found = store.keep(key, folder, request.make(folder))
        except BaseException:
            store.drop(folder)
            raise
        if not found:
            raise CompileError(f"the kernel that was put into {store.folder} cannot be read back")
    return request.load(*found)


def _path(value, what):
    try:
        text = os.path.abspath(os.fspath(value))
    except TypeError:
        raise CompileError(f"{what} is a {type(value).__name__}; expected a path") from None
    if not isinstance(text, str) or any(ord(c) < 32 or ord(c) == 127 for c in text):
        raise CompileError(f"{what} {text!r} has a control character in its name, which build tools "
                           "do not accept")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise CompileError(f"{what} {text!r} has a name that is not UTF-8") from None
    if not os.path.isfile(text):
        raise CompileError(f"{what}: there is no file {text}")
    return text


def _word(value, what):
    text = str(value)
    if not text or any(ord(c) < 32 for c in text):
        raise CompileError(f"{what} is {text!r}; expected a line of text")
    return text


def _values(values):
    try:
        return ",".join(str(operator.index(value))
                        for value in (values if isinstance(values, (list, tuple)) else [values]))
    except TypeError:
        raise CompileError(f"shapes has {values!r}; expected a number, or several") from None


class _Request:
    def __init__(self, logic, mapping, machine, entry, shapes, flags, machine_path, tune, tool,
                 compiler):
        self.logic = _path(logic, "logic_file")
        self.mapping = None if mapping is None else _path(mapping, "mapping_file")
        if mapping is None and machine is None:
            raise CompileError("there is neither a mapping_file nor a machine to derive one for")
        if mapping is None and tune:
            raise CompileError("tune has no meaning without a mapping_file")
        if mapping is not None and shapes:
            raise CompileError("shapes has no meaning with a mapping_file")
        if entry is not None and not _NAME.match(str(entry)):
            raise CompileError(f"entry is {entry!r}; expected the name of an instance")
        if isinstance(flags, (str, bytes)):
            raise CompileError("flags is one text; expected a list with one text per flag")
        self.entry = entry
        self.flags = [_word(flag, "a flag") for flag in flags]
        if isinstance(machine_path, (str, os.PathLike)):
            machine_path = [machine_path]
        folders = [os.path.abspath(folder) for folder in machine_path]
        # An entry of one's own is a mapping that extends the given one from another folder.
        if entry and self.mapping:
            folders.append(os.path.dirname(self.mapping))
        self.machines = [f"--machine-path={folder}" for folder in folders]
        if machine is not None:
            text = _word(os.fspath(machine), "machine")
            self.machines.append("--machine=" + (os.path.abspath(text) if os.path.isfile(text)
                                                 else text))
        self.tune = [f"--tune={_word(name, 'tune')}={_word(value, 'tune')}"
                     for name, value in sorted((tune or {}).items())]
        self.shapes = [f"--shape={_word(name, 'shapes')}={_values(values)}"
                       for name, values in sorted((shapes or {}).items())]
        self.tool = toolchain.find_tool(tool)
        # Which of the two is used is known when the machine has been read.
        self.compilers = {language: toolchain.compiler_of(language, compiler)
                          for language in ("c++", "cuda", "hip")}
        stem = re.sub(r"[^A-Za-z0-9]+", "_", pathlib.Path(self.logic).stem).strip("_")
        self.name = "septran_" + (stem or "kernel")

    def key(self):
        """Everything that decides how the kernel is made, but for the content of files."""
        return hash_of([3, self.logic, self.mapping, self.entry, self.shapes, self.flags,
                        self.machines, self.tune, toolchain.identity(self.tool),
                        {language: [toolchain.which(command[0]), *command[1:]]
                         for language, command in self.compilers.items()}])

    def _toolchain(self, inputs):
        """The language that the machine takes, and the flags it is compiled with."""
        lines = toolchain.run([self.tool, "--print-toolchain", *inputs],
                              "septran-rewrite").splitlines()
        language = next(line[10:] for line in lines if line.startswith("language: "))
        if language not in self.compilers:
            raise CompileError(f"the machine takes {language}; expected one that takes "
                               + " or ".join(self.compilers))
        return language, [line[6:] for line in lines if line.startswith("flag: ")]

    def _inputs(self, folder):
        if not self.mapping:
            return [*self.machines, *([f"--entry={self.entry}"] if self.entry else []), *self.shapes]
        mapping = self.mapping
        if self.entry:
            own = folder / "entry.yaml"
            own.write_text(f"extends: {json.dumps(self.mapping)}\nentrypoint: {self.entry}\n"
                           f"task_mappings: {{{self.entry}: {{}}}}\n")
            mapping = str(own)
        return [f"--mapping={mapping}", *self.machines, *self.tune]

    def _exports(self):
        names = " ".join(self.name + part for part in (";", "_infer_shapes;", "_describe;", "_last_error;"))
        return f"{{ global: {names} local: *; }};\n"

    def _source(self, folder):
        """The generated source: C++, or CUDA."""
        found = [path for path in (folder / (self.name + end) for end in (".cpp", ".cu", ".hip")) if path.exists()]
        return found[0]

    def make(self, folder):
        """Fills the folder. Gives the files that were read, with their hashes."""
        inputs = self._inputs(folder)
        language, machine_flags = self._toolchain(inputs)
        compiler = [toolchain.find_program(self.compilers[language][0], f"compiler of {language}"),
                    *self.compilers[language][1:]]
        explanation = toolchain.run(
            [self.tool, self.logic, *inputs, "--emit=library", "--explain",
             f"--write-mapping={folder / 'mapping.yaml'}", "-o", folder / self.name, "--depfile",
             folder / "tool.d", "--", "-std=c++20", *self.flags], "septran-rewrite")
        read = toolchain.read_depfile(folder / "tool.d")
        if any(flag.startswith(_ARCHITECTURES) for flag in compiler[1:]):
            machine_flags = [flag for flag in machine_flags if not flag.startswith(_ARCHITECTURES)]
        common = ["-std=c++20", *(flag for flag in machine_flags if not flag.startswith("-std=")),
                  *self.flags, *(f"-I{path}" for path in _header_folders(read)), "-shared", "-MD",
                  "-MF", folder / "compiler.d", "-o", folder / "kernel.so"]
        beside = os.path.dirname(self.logic)
        with tempfile.TemporaryDirectory(prefix="septran-") as scratch:
            # nvcc takes a comma in what it hands to the linker for the end of it.
            exports = pathlib.Path(scratch) / "exports.map"
            exports.write_text(self._exports())
            link = ["-Xlinker", "--version-script", "-Xlinker", exports]
            if language == "cuda":
                own = [f"-I{beside}", "-Xcompiler=-fPIC", "-Xcompiler=-fvisibility=hidden"]
            else:
                own = ["-iquote", beside, "-fPIC", "-fvisibility=hidden"]
            toolchain.run([*compiler, *common, *own, *link, self._source(folder)], compiler[0])
        read += toolchain.read_depfile(folder / "compiler.d")
        (folder / "explanation.txt").write_text(explanation)
        files = {os.path.abspath(path): None
                 for path in [self.logic, *([self.mapping] if self.mapping else []), *read]
                 if pathlib.Path(os.path.abspath(path)).parent != folder.absolute()}
        for path in [*files, os.path.realpath(compiler[0])]:
            files[path] = hash_of_file(path)
        for scrap in ("tool.d", "compiler.d", "entry.yaml"):
            (folder / scrap).unlink(missing_ok=True)
        return files

    def load(self, folder, content):
        library = ctypes.CDLL(str(folder / "kernel.so"), mode=os.RTLD_NOW | os.RTLD_LOCAL)
        text = {name: data.decode(errors="replace") for name, data in content.items()
                if name != "kernel.so"}
        source, = (text[self.name + end] for end in (".cpp", ".cu", ".hip") if self.name + end in text)
        return Kernel(library, self.name, source, text["mapping.yaml"],
                      text["explanation.txt"], text[self.name + ".h"])


def _header_folders(files):
    """Where septran's headers are: the front end knows, and has read some."""
    end = os.path.join("septran", "extents.h")
    return {os.path.abspath(path)[:-len(end) - 1] for path in files if path.endswith("/" + end)}
