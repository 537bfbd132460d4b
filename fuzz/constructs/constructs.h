// What programs are made of: one row for each construct of docs/tvmscript.md (and for each shape that some rule looks
// for), and programs that are made of rows.
#pragma once
#include <string>
#include <vector>

#include "fuzz/programs/sketch.h"

namespace hexproof {

/// A new construct is a function that writes one stage, and its row in the table of its file below fuzz/constructs/.
struct Construct {
  const char* name;  // kebab-case; the row of the campaign's table
  void (*write)(Sketch& s);
};

/// All rows, in the order of the files.
const std::vector<Construct>& all_constructs();
/// Position of the row; -1 when there is none.
int construct_at(const std::string& name);

// The tables of the files.
extern const std::vector<Construct> kViewConstructs, kParameterConstructs, kLetConstructs, kLoopConstructs,
    kSizeConstructs, kBlockConstructs, kPermissionConstructs, kMemoryConstructs, kVectorConstructs,
    kExpressionConstructs, kBranchConstructs, kStageConstructs, kNarrowConstructs, kGuardConstructs, kMomentConstructs,
    kFlightConstructs, kPaddingConstructs, kGreatNumberConstructs;

struct ConstructedProgram {
  PrimFunc func;
  std::vector<int> constructs;  // rows, each once, ascending
};

/// One to three stages over shared buffers, each a row; `wanted` rows are among them. The same choices give the same
/// program; the first choices of all zeros give the simplest one.
ConstructedProgram random_constructed_program(Choices& choices, const std::vector<int>& wanted = {});

}  // namespace hexproof
