#include "rewrite/readback.h"

#include "ir/diagnostic.h"
#include "ir/text.h"
#include "ir/visit.h"
#include "rewrite/kernel.h"

namespace hexproof {

void demand_reads_back(const std::string& rule, const PrimFunc& after) {
  IRModule read;
  try {
    read = parse_module(print(after));
  } catch (const Error& error) {
    throw NotApplicable("the result of '" + rule + "' cannot be written as text: " + error.what());
  } catch (const Unsupported& error) {
    throw NotApplicable("the result of '" + rule + "' cannot be written as text: " + error.what());
  }
  HEXPROOF_CHECK(read.functions.size() == 1 && same_program(read.functions[0], after),
                 "rule '" + rule + "' made a program whose text reads as another one");
}

}  // namespace hexproof
