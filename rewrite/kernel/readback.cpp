#include "rewrite/kernel/readback.h"

#include "ir/base/diagnostic.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/kernel/engine_limit.h"
#include "rewrite/kernel/kernel.h"
#include "verify/memory/argument_padding.h"

namespace hexproof {

namespace {

IRModule read(const std::string& step, const std::string& text) {
  try {
    return parse_module(text);
  } catch (const Error& error) {
    throw EngineLimit("the result of '" + step + "' cannot be written as text: " + error.what());
  } catch (const Unsupported& error) {
    throw EngineLimit("the result of '" + step + "' cannot be written as text: " + error.what());
  }
}

void demand_same(const std::string& step, const PrimFunc& is, const PrimFunc& reads) {
  HEXPROOF_CHECK(same_program(is, reads), "'" + step + "' made a program whose text reads as another one");
  if (!same_argument_padding(is, reads))
    throw EngineLimit("the result of '" + step +
                      "' cannot be written as text: two names in the padding of an argument are one there");
}

}  // namespace

void demand_reads_back(const std::string& step, const PrimFunc& after) {
  IRModule back = read(step, print(after));
  HEXPROOF_CHECK(back.functions.size() == 1, "the text of a function reads as several");
  demand_same(step, after, back.functions[0]);
}

void demand_reads_back(const std::string& step, const IRModule& after) {
  IRModule back = read(step, print(after));
  HEXPROOF_CHECK(back.functions.size() == after.functions.size(), "the text of a module has other functions");
  for (size_t k = 0; k < after.functions.size(); ++k) demand_same(step, after.functions[k], back.functions[k]);
}

}  // namespace hexproof
