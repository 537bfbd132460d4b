// Running the object that a certificate holds, which nobody vouches for, against the interpreter.
#pragma once
#include "backend/kernel.h"
#include "tools/api/certificate/audit_files.h"
#include "tools/api/certificate/certify.h"

namespace hexproof::api {

struct StoredRun {
  bool ran = false, equal = false;
  bool open = false;  // not run, for what this machine lacks
  std::string why;    // not run, or not equal
};
/// Runs the stored kernel.o, and for Hexagon kernel.elf, on random input: in processes of their own, so that what they
/// do to their memory is not done to the auditor's. `anew` is the kernel that comes out, whose arguments they take.
StoredRun run_stored(const Derivation& derivation, const Kernel& anew, const CertificateBytes& stored, uint64_t seed);

}  // namespace hexproof::api
