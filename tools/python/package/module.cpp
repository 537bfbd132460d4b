#include "tools/python/package/module.h"

#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include "hexproof/equiv.h"
#include "hexproof/run.h"
#include "ir/text/text.h"
#include "rewrite/module/schedule.h"
#include "tools/api/certificate/certify.h"
#include "tools/api/certificate/derivation_folder.h"
#include "tools/api/detail.h"
#include "tools/python/interpreter.h"
#include "tools/python/package/reports.h"
#include "tools/python/working.h"
#include "verify/equiv/equiv.h"
#include "verify/prove/solvers/cache/cache.h"

namespace hexproof::python {
namespace {

/// A program that is scheduled by primitives that are called one by one.
struct Interactive {
  api::Program program;
  api::Session& session;
  api::Transformed transformed;
  std::optional<Schedule> of_function;
  std::optional<ModuleSchedule> of_module;
};

std::string lines(const std::vector<std::string>& says) {
  std::string out;
  for (const std::string& line : says) out += (out.empty() ? "" : "\n") + line;
  return out;
}

/// A program that is not scheduled, since its check says so.
struct NotProved : std::runtime_error {
  NotProved(const std::string& says, CheckReport checked) : std::runtime_error(says), report(std::move(checked)) {}
  CheckReport report;
};

/// Of the checks of a program's functions the one that is not proved.
CheckReport unproved(const api::Transformed& transformed) {
  for (const auto& [name, checked] : transformed.source_checks) {
    if (checked.finding != Finding::Proved) return checked;
  }
  return {};
}

std::shared_ptr<ScheduleObject> open_schedule(const api::Program& program, const std::string& function,
                                              api::Session& session) {
  std::vector<std::string> says;
  const bool whole = function.empty() && program.functions().size() > 1;
  session.begin();
  auto kept = std::make_shared<Interactive>(
      Interactive{program, session, api::transform(program, {}, function, whole, session, &says), {}, {}});
  if (kept->transformed.verdict != api::Verdict::Proved) throw NotProved(lines(says), unproved(kept->transformed));
  auto out = std::make_shared<ScheduleObject>();
  if (whole) {
    out->target.module = &kept->of_module.emplace(kept->transformed.module, session.prover());
    out->script = [kept = kept.get()] { return print(kept->transformed.module.current()); };
  } else {
    out->target.schedule = &kept->of_function.emplace(kept->transformed.function(), session.prover());
    out->script = [kept = kept.get()] { return print(kept->transformed.function().current()); };
  }
  out->begin = [kept = kept.get()] { kept->session.begin(); };
  out->functions = program.functions();
  out->owner = kept;
  return out;
}

Interactive& interactive(ScheduleObject& schedule) {
  if (schedule.copied) throw Misuse("a copy of a schedule is there to try things on; it has no certificate");
  if (!schedule.owner || schedule.ended)
    throw Misuse("this schedule belongs to a text that runs; it has no certificate");
  return *static_cast<Interactive*>(schedule.owner.get());
}

/// The steps: rule, primitive, and the obligations that were proved for each.
py::list steps_of(ScheduleObject& schedule) {
  Interactive& i = interactive(schedule);
  py::list out;
  for (const std::string& name : i.transformed.module.names()) {
    for (const Step& step : i.transformed.module.function(name).steps()) {
      py::dict row;
      row["function"] = name;
      row["rule"] = step.rule;
      row["primitive"] = step.primitive;
      row["before"] = print(step.before);
      row["after"] = print(step.after);
      row["obligations"] = step.obligations.size();
      out.append(row);
    }
  }
  return out;
}

api::Certificate certify_interactive(ScheduleObject& schedule, const api::CertifyOptions& options) {
  Interactive& i = interactive(schedule);
  if (!i.transformed.single()) throw Misuse("one function is certified: Schedule(program, function=...)");
  std::string text, last;
  for (const Step& step : i.transformed.function().steps()) {
    if (step.primitive != last) text += step.primitive + "\n";
    last = step.primitive;
  }
  return api::certify_transformed(i.transformed, i.program, {"<primitives>", text}, options, i.session);
}

/// Where the program is not free of errors: at a condition that is false, else at one that stays open.
Span place_of(const CheckReport& report) {
  Span open;
  for (const CheckedObligation& one : report.obligations) {
    const Span& at = one.obligation.where.span;
    if (!at || one.answer.verdict == hexproof::Verdict::Proved) continue;
    if (one.answer.verdict == hexproof::Verdict::Refuted) return at;
    if (!open) open = at;
  }
  return open;
}

[[noreturn]] void raise(const NotProved& e) {
  const bool refuted = e.report.finding == Finding::Refuted;
  py::object raised = support().attr(refuted ? "RefutedError" : "UndecidedError")(e.what());
  raised.attr("report") = report_of_check(e.report);
  if (const Span at = place_of(e.report)) {
    raised.attr("file") = at.file ? at.file->path : "", raised.attr("line") = at.line,
    raised.attr("column") = at.column;
  }
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised.ptr())), raised.ptr());
  throw py::error_already_set();
}

/// Tensors as tuples (dtype, shape, bytes) in, and out as they are after the run.
py::dict run(const api::Program& program, const py::list& given, const std::string& target, const std::string& function,
             const std::vector<api::ScalarArgument>& scalars, const std::string& cpu, bool assert_static,
             api::Session& session) {
  std::vector<api::Tensor> tensors;
  for (py::handle one : given) {
    auto t = py::reinterpret_borrow<py::tuple>(one);
    api::Tensor tensor{t[0].cast<std::string>(), t[1].cast<std::vector<int64_t>>(), {}, {}};
    const auto bytes = t[2].cast<std::string>();
    tensor.data.assign(bytes.begin(), bytes.end());
    tensors.push_back(std::move(tensor));
  }
  api::RunOptions options{.function = function, .cpu = cpu, .scalars = scalars, .assert_static = assert_static};
  options.target = target == "host"      ? api::RunTarget::Host
                   : target == "hexagon" ? api::RunTarget::Hexagon
                                         : api::RunTarget::Interpreter;
  const api::Ran ran = while_others_run([&] {
    session.begin();
    return api::run(program, tensors, options, session);
  });
  py::list out;
  for (const api::Tensor& t : tensors) {
    out.append(py::make_tuple(t.dtype, t.shape, py::bytes(reinterpret_cast<const char*>(t.data.data()), t.data.size()),
                              py::bytes(reinterpret_cast<const char*>(t.initialised.data()), t.initialised.size())));
  }
  py::dict result;
  result["verdict"] = api::to_text(ran.verdict), result["error"] = ran.error, result["tensors"] = out;
  result["counts"] = ran.counts, result["checked"] = dict_of(ran.checked);
  return result;
}

api::CertifyOptions certify_options(const std::string& target, const std::string& function, const std::string& cpu,
                                    uint64_t seed, bool run, bool trust) {
  if (target != "host" && target != "hexagon")
    throw Misuse("a target is \"hexagon\" or \"host\", not \"" + target + "\"");
  return {.function = function,
          .target = target == "host" ? api::Target::Host : api::Target::Hexagon,
          .cpu = cpu,
          .seed = seed,
          .run = run,
          .trust_rules = trust};
}

/// What the words of the package stand for; Misuse names those that there are.
template <class T>
T one_of(const char* what, const std::string& word, const std::vector<std::pair<std::string, T>>& words) {
  std::string known;
  for (const auto& [name, value] : words) {
    if (name == word) return value;
    known += (known.empty() ? "\"" : ", \"") + name + "\"";
  }
  throw Misuse(std::string(what) + " is one of " + known + ", not \"" + word + "\"");
}

api::EquivMethod method_of(const std::string& word) {
  using enum api::EquivMethod;
  return one_of<api::EquivMethod>("a method", word,
                                  {{"auto", Auto},
                                   {"parametric", Parametric},
                                   {"symbolic", Symbolic},
                                   {"fingerprint", Fingerprint},
                                   {"tests", Tests}});
}

api::Accept accept_of(const std::string& word) {
  using enum api::Accept;
  return one_of<api::Accept>("what is accepted", word,
                             {{"", ProofsOnly}, {"probabilistic", Probabilistic}, {"tests", Tests}});
}

void raise_failure(std::exception_ptr e) {
  try {
    std::rethrow_exception(e);
  } catch (const api::Failure& failure) {
    using Kind = api::Failure::Kind;
    const char* kind = failure.kind == Kind::Input         ? "InputError"
                       : failure.kind == Kind::Unsupported ? "UnsupportedError"
                       : failure.kind == Kind::Refuted     ? "RefutedError"
                       : failure.kind == Kind::Undecided   ? "UndecidedError"
                                                           : "InternalError";
    py::object raised = support().attr(kind)(failure.what());
    if (failure.detail && failure.detail->refused) raised.attr("report") = report_of(*failure.detail->refused);
    raised.attr("file") = failure.file, raised.attr("line") = failure.line, raised.attr("column") = failure.column;
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised.ptr())), raised.ptr());
  }
}

}  // namespace

void define_module(py::module_& m) {
  adopt_python(m);
  py::register_exception_translator(&raise_failure);
  for (const char* name : {"Error", "InputError", "UnsupportedError", "RefutedError", "UndecidedError", "InternalError",
                           "IndexMap", "GLOBALS"}) {
    m.attr(name) = support().attr(name);
  }
  py::class_<api::Session>(m, "Session")
      .def(py::init([](uint64_t rlimit, int jobs, double seconds, const std::string& cache, int64_t cache_size) {
             Cache::bound(cache_size << 20);
             return while_others_run(
                 [&] { return api::Session({.rlimit = rlimit, .jobs = jobs, .seconds = seconds, .cache = cache}); });
           }),
           py::arg("rlimit") = 20'000'000, py::arg("jobs") = 0, py::arg("seconds") = 120, py::arg("cache") = "",
           py::arg("cache_size") = 256);
  py::class_<api::Program>(m, "Program")
      .def_property_readonly("path", &api::Program::path)
      .def_property_readonly("text", &api::Program::text)
      .def_property_readonly("functions", &api::Program::functions)
      .def_property_readonly("fast_math", &api::Program::fast_math)
      .def("script", &api::Program::print);
  py::class_<api::Certificate>(m, "Certificate")
      .def_property_readonly("verdict", [](const api::Certificate& c) { return api::to_text(c.verdict); })
      .def_property_readonly("says", [](const api::Certificate& c) { return c.says; })
      .def_property_readonly("files",
                             [](const api::Certificate& c) {
                               py::dict out;
                               for (const auto& [name, file] : c.files) out[py::str(name)] = py::bytes(file.bytes);
                               return out;
                             })
      .def("save", [](const api::Certificate& certificate, const std::string& folder) {
        while_others_run([&] { certificate.save(folder); });
      });
  m.def("read", [](const std::string& path, const std::string& fp) { return api::read(path, {.fast_math = fp}); });
  m.def("read_text", [](const std::string& text, const std::string& name, const std::string& fp) {
    return api::read_text(text, name, {.fast_math = fp});
  });
  m.def("parameters", [](const api::Program& program, const std::string& function, api::Session& session) {
    const std::vector<api::Parameter> all = while_others_run([&] {
      session.begin();
      return api::parameters(program, session, function);
    });
    py::list out;
    for (const api::Parameter& p : all) {
      out.append(py::make_tuple(p.name, p.dtype, p.buffer, p.shape));
    }
    return out;
  });
  m.def("check",
        [](const api::Program& program, const std::string& function, const std::string& claims, api::Session& session) {
          using enum api::Claims;
          const auto are = one_of<api::Claims>("a false claim", claims, {{"warning", Warning}, {"error", Error}});
          return dict_of(while_others_run([&] { return api::check(program, function, session, are); }));
        });
  m.def("equiv", [](const api::Program& before, const api::Program& after, const std::vector<std::string>& layouts,
                    const std::vector<std::string>& pads, const std::vector<std::string>& logical_only,
                    const std::string& method, const std::string& accept, uint64_t max_terms,
                    const std::string& function, api::Session& session) {
    const api::EquivOptions options{.function = function,
                                    .method = method_of(method),
                                    .accept = accept_of(accept),
                                    .layouts = layouts,
                                    .pads = pads,
                                    .logical_only = logical_only,
                                    .max_terms = max_terms};
    const std::vector<api::Compared> all =
        while_others_run([&] { return api::equiv(before, after, options, session); });
    py::list out;
    for (const api::Compared& one : all) out.append(dict_of(one));
    return out;
  });
  m.def("run", &run);
  m.def(
      "open_schedule",
      [](const api::Program& program, const std::string& function, api::Session& session) {
        try {
          return while_others_run([&] { return open_schedule(program, function, session); });
        } catch (const NotProved& e) {
          raise(e);
        }
      },
      py::keep_alive<0, 3>());
  m.def("steps", &steps_of);
  m.def("certify", [](ScheduleObject& schedule, const std::string& target, const std::string& cpu, uint64_t seed,
                      bool run, bool trust_rules) {
    const api::CertifyOptions options = certify_options(target, "", cpu, seed, run, trust_rules);
    return while_others_run([&] { return certify_interactive(schedule, options); });
  });
  m.def("certify_text", [](const api::Program& program, const std::string& name, const std::string& text,
                           const std::string& target, const std::string& function, const std::string& cpu,
                           uint64_t seed, bool run, bool trust_rules, api::Session& session) {
    const api::CertifyOptions options = certify_options(target, function, cpu, seed, run, trust_rules);
    return while_others_run([&] { return api::certify(program, {name, text}, options, session); });
  });
  m.def("apply_text",
        [](const api::Program& program, const std::string& name, const std::string& text, const std::string& function,
           bool trust_rules, const std::string& certificate, api::Session& session) {
          const api::ScheduleOptions options{
              .function = function, .trust_rules = trust_rules, .thorough = !certificate.empty()};
          const api::Scheduled done = while_others_run([&] {
            api::Scheduled made = api::schedule(program, {name, text}, options, session);
            const bool kept = made.verdict == api::Verdict::Proved && !certificate.empty();
            if (kept) {
              api::save_derivation(certificate, *made.detail, program, {name, text}, session);
            }
            return made;
          });
          if (done.verdict != api::Verdict::Proved)
            raise(NotProved(lines(done.says), unproved(done.detail->transformed)));
          return done.program;
        });
  define_more(m);
}

void serve_package(const std::string& folder) {
  start_python();
  py::gil_scoped_acquire lock;
  py::module_ native = support().attr("_native").cast<py::module_>();
  define_module(native);
  py::module_ sys = py::module_::import("sys");
  sys.attr("modules")["hexproof._hexproof"] = native;
  sys.attr("path").attr("insert")(0, folder);
  sys.attr("stdout") = sys.attr("__stdout__");
}

}  // namespace hexproof::python
