#include "tools/python/package/run.h"

#include <filesystem>

#include "ir/base/diagnostic.h"
#include "tools/python/objects.h"
#include "tools/python/package/module.h"

namespace hexproof::python {
namespace {

constexpr const char* kRun = R"(
def go(words):
    import os, runpy, sys, traceback
    option, rest = words[0], words[1:]
    try:
        if option == "-c":
            sys.argv[:] = ["-c", *rest[1:]]
            exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__", "__builtins__": __builtins__})
        elif option == "-m":
            sys.argv[:] = rest
            runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
        elif option == "-":
            sys.argv[:] = words
            sys.path.insert(0, "")
            exec(compile(sys.stdin.buffer.read(), "<stdin>", "exec"), {"__name__": "__main__", "__builtins__": __builtins__})
        else:
            if not os.path.isdir(option):  # one with a __main__.py is a program
                try:
                    open(option, "rb").close()
                except OSError as e:
                    print(f"hexproof python: can't open file {os.path.abspath(option)!r}: {e.strerror}", file=sys.stderr)
                    return 2
            sys.argv[:] = words
            sys.path.insert(0, os.path.dirname(os.path.abspath(option)))
            runpy.run_path(option, run_name="__main__")
        code = 0
    except SystemExit as e:
        code = e.code if isinstance(e.code, int) else 0 if e.code is None else 1
        if not isinstance(e.code, (int, type(None))):
            print(e.code, file=sys.stderr)
    except BaseException as e:
        frames = e.__traceback__ and e.__traceback__.tb_next
        traceback.print_exception(type(e), e, frames)
        code = 1
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            code = code or 1
    return code & 255
)";

}  // namespace

int run_program(const std::vector<std::string>& words) {
  if (words.empty() || ((words[0] == "-c" || words[0] == "-m") && words.size() < 2)) {
    throw Error("hexproof python takes a FILE, -c TEXT or -m MODULE");
  }
  std::error_code error;
  // Beside the command as it was built, or in lib/hexproof/ where it is installed.
  const std::filesystem::path bin = std::filesystem::canonical("/proc/self/exe", error).parent_path();
  const std::filesystem::path installed = bin.parent_path() / "lib/hexproof/python", built = bin / "python";
  serve_package((std::filesystem::is_directory(installed / "hexproof", error) ? installed : built).string());
  py::gil_scoped_acquire lock;
  py::dict space;
  space["__builtins__"] = py::module_::import("builtins");
  auto defined = py::reinterpret_steal<py::object>(PyRun_String(kRun, Py_file_input, space.ptr(), space.ptr()));
  if (!defined) throw Error("Python does not run");
  py::list list;
  for (const std::string& word : words) list.append(word);
  return space["go"](list).cast<int>();
}

}  // namespace hexproof::python
