// The files of a certificate: their digests, and how they differ from those that were made anew.
#pragma once
#include "ir/base/folder.h"
#include "tools/api/certificate/audit.h"

namespace hexproof::api {

inline constexpr const char* kSums = "SHA256SUMS";
using CertificateBytes = std::map<std::string, std::string>;

/// All files below the folder. Links, devices and empty folders are no files of a certificate: `no_files` tells of
/// them, and they come without content. Error when it is no folder, or cannot be read.
CertificateBytes read_certificate(const std::string& folder, std::vector<AuditFinding>* no_files);
/// Each file is listed with its digest, and nothing else is there or listed.
std::vector<AuditFinding> compare_sums(const CertificateBytes& files);
/// A certificate whose files are those that its SHA256SUMS lists: no more is looked at. Or what is not so.
struct ListedFiles {
  CertificateBytes files = {};
  std::vector<AuditFinding> wrong = {};
};
/// Error when it is no folder, or no certificate, or cannot be read.
ListedFiles read_listed(const std::string& folder);
/// Line and column of a position in a text, from 1.
std::pair<int, int> place_of(const std::string& text, size_t at);
/// Of a part of a JSON document, by its path ("/kernel/run"): where its last key stands for the first time behind those
/// before it.
std::pair<int, int> json_place(const std::string& text, const std::string& path);
/// The first place where a file is another one than the one that was made anew; nothing when they are equal.
std::optional<AuditFinding> compare_text(const std::string& name, const std::string& stored, const std::string& made);
/// The same of JSON, but for the keys of which `skipped` is true (by path: "/kernel/run").
std::optional<AuditFinding> compare_json(const std::string& name, const std::string& stored_text, const Json& made,
                                         const std::function<bool(const std::string& path)>& skipped);

/// What a solver says of a stored formula. Unsat means proved.
enum class FormulaAnswer : uint8_t { Unsat, Sat, Unknown };
const char* to_text(FormulaAnswer answer);
/// Of each solver that is asked for and there, by its name.
std::map<std::string, FormulaAnswer> ask_formula(const std::string& text, const AuditOptions& options,
                                                 const Limits& limits);
/// Does one say sat where another one says unsat?
bool contradict(const std::map<std::string, FormulaAnswer>& answers);

/// Asks the solvers for every stored formula.
void discharge(const CertificateBytes& files, const AuditOptions& options, const Limits& limits, Audited* out);

}  // namespace hexproof::api
