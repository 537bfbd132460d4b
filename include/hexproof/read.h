// Programs: TVMScript, read once.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "hexproof/session.h"

namespace hexproof {
struct IRModule;
}

namespace hexproof::api {

/// A buffer or scalar that a function takes.
struct Parameter {
  std::string name;
  std::string dtype;               // "float32", "int8"
  bool buffer = true;              // false: a scalar
  std::vector<std::string> shape;  // of a buffer: numbers, or names of sizes
};

/// A file of functions, type-checked. Copies share what was read.
class Program {
 public:
  struct Impl;
  explicit Program(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

  /// The file's name as it was given, and the bytes that were read.
  const std::string& path() const;
  const std::string& text() const;
  /// The names of the functions, in order.
  std::vector<std::string> functions() const;
  /// The fast-math flags that were granted when it was read.
  const std::string& fast_math() const;
  /// The program as hexproof prints it: TVMScript that reads back to the same program.
  std::string print() const;
  /// For hexproof's own commands.
  const IRModule& module() const;

 private:
  std::shared_ptr<const Impl> impl_;
};

struct ReadOptions {
  /// Fast-math flags that you grant to every function, with LLVM's names: "nnan nsz".
  std::string fast_math = {};
};

/// Reads a file ("-": standard input). Failure: Input, with the place, when it cannot be read, does not parse or does
/// not type-check; Unsupported for a construct that is not modelled.
Program read(const std::string& path, const ReadOptions& options = {});
/// The same for a text; `name` stands in messages and certificates.
Program read_text(const std::string& text, const std::string& name = "<text>", const ReadOptions& options = {});

/// What a function takes, in order, with what it calls linked into it. `function`: empty for the only one, or the one
/// where a module is entered. Failure (Input) when there is none of that name, or a choice.
std::vector<Parameter> parameters(const Program& program, Session& session, const std::string& function = "");

}  // namespace hexproof::api
