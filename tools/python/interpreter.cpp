#include "tools/python/interpreter.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include <filesystem>
#include <mutex>

#include "tools/python/files_read.h"
#include "tools/python/objects.h"
#include "tools/python/support_text.h"
#include "tools/python/tensors.h"
#include "verify/prove/effort.h"

namespace hexproof::python {
namespace {

py::handle the_support;  // a module; never given back, since the interpreter is never ended

void demand(PyStatus status) {
  if (PyStatus_Exception(status))
    throw Error(std::string("Python does not start: ") + (status.err_msg ? status.err_msg : ""));
}

/// Where the standard library of the interpreter that we are linked to lies.
std::filesystem::path prefix() {
  namespace fs = std::filesystem;
  Dl_info info{};
  std::error_code error;
  if (!dladdr(reinterpret_cast<void*>(&Py_InitializeFromConfig), &info) || !info.dli_fname) return {};
  const std::string library = "lib/python" + std::to_string(PY_MAJOR_VERSION) + "." + std::to_string(PY_MINOR_VERSION);
  for (fs::path at = fs::canonical(info.dli_fname, error); at.has_relative_path(); at = at.parent_path()) {
    if (fs::exists(at / library / "os.py", error)) return at;
  }
  return {};
}

/// An interpreter that has too little memory while it starts ends the process, or says something else (pybind11 throws
/// std::runtime_error): so it is asked for before. Measured: 12 MB.
void demand_memory() {
  constexpr size_t kToStart = size_t{24} << 20;
  void* at = mmap(nullptr, kToStart, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  munmap(at, kToStart);
}

void initialise() {
  PyPreConfig before;
  PyPreConfig_InitIsolatedConfig(&before);
  before.utf8_mode = 1;
  demand(Py_PreInitialize(&before));
  PyConfig config;
  PyConfig_InitIsolatedConfig(&config);
  config.site_import = 0;
  config.install_signal_handlers = 0;
  config.write_bytecode = 0;
  const std::filesystem::path home = prefix();
  PyStatus status = PyStatus_Ok();
  if (!home.empty()) status = PyConfig_SetString(&config, &config.home, home.wstring().c_str());
  if (!PyStatus_Exception(status)) status = PyConfig_SetString(&config, &config.program_name, L"hexproof");
  if (!PyStatus_Exception(status)) status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  demand(status);
}

/// Packages of the system, numpy among them, are found when they are asked for. What a schedule prints is no output. No
/// executable is a Python: the command of this name that PATH may have takes other words.
constexpr const char* kSetUp = R"(
import sys
version = f"python{sys.version_info.major}.{sys.version_info.minor}"
sys.path += [f"/usr/local/lib/{version}/dist-packages", f"{sys.prefix}/lib/python3/dist-packages",
             f"{sys.prefix}/lib/{version}/site-packages"]
sys.stdout = sys.stderr
sys.executable = sys._base_executable = ""
)";

}  // namespace

py::module_ support() { return py::reinterpret_borrow<py::module_>(the_support); }

void adopt_python(py::module_& native) {
  if (the_support) return;
  static PyModuleDef definition{
      PyModuleDef_HEAD_INIT, "_hexproof_support", nullptr, -1, nullptr, nullptr, nullptr, nullptr, nullptr};
  auto made = py::reinterpret_steal<py::module_>(PyModule_Create(&definition));
  if (!made) throw py::error_already_set();
  the_support = made.inc_ref();
  py::register_exception_translator([](std::exception_ptr e) {
    try {
      std::rethrow_exception(e);
    } catch (const Misuse&) {
    } catch (const Error&) {
    } catch (const Unsupported&) {
    } catch (const Refused&) {
    } catch (const OutOfTime&) {
    } catch (const NotApplicable&) {
    } catch (const InternalError&) {
    } catch (...) {
      throw;  // pybind11 knows it
    }
    set_python_error(e);
  });
  define_expressions(native);
  define_schedules(native);
  define_tensors(native);
  made.attr("_native") = native;
  py::dict space = made.attr("__dict__");
  space["__builtins__"] = py::module_::import("builtins");
  for (const char* text : kSupportTexts) {
    auto code = py::reinterpret_steal<py::object>(Py_CompileString(text, "<hexproof>", Py_file_input));
    if (!code) throw py::error_already_set();
    auto ran = py::reinterpret_steal<py::object>(PyEval_EvalCode(code.ptr(), space.ptr(), space.ptr()));
    if (!ran) throw py::error_already_set();
  }
}

namespace {
bool started_here = false;
}

bool python_is_ours() { return started_here; }

void start_python() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (Py_IsInitialized()) return;
    started_here = true;
    demand_memory();
    initialise();
    {
      py::dict space;
      space["__builtins__"] = py::module_::import("builtins");
      auto ran = py::reinterpret_steal<py::object>(PyRun_String(kSetUp, Py_file_input, space.ptr(), space.ptr()));
      if (!ran) throw py::error_already_set();
      static PyModuleDef definition{
          PyModuleDef_HEAD_INIT, "_hexproof", nullptr, -1, nullptr, nullptr, nullptr, nullptr, nullptr};
      auto native = py::reinterpret_steal<py::module_>(PyModule_Create(&definition));
      if (!native) throw py::error_already_set();
      adopt_python(native);
      support().attr("watch_files")();
    }
    PyEval_SaveThread();
  });
}

std::vector<std::string> files_read() {
  if (!python_is_ours()) return {};
  py::gil_scoped_acquire lock;
  std::vector<std::string> out;
  for (py::handle path : support().attr("files_read")()) out.push_back(py::cast<py::bytes>(path));
  return out;
}

}  // namespace hexproof::python
