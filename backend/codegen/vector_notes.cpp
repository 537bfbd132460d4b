#include "backend/codegen/vector_notes.h"

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>

#include <algorithm>
#include <sstream>

namespace hexproof::codegen {
namespace {

class Listener : public llvm::DiagnosticHandler {
 public:
  explicit Listener(std::shared_ptr<Vectorizer> said) : said_(std::move(said)) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    const auto* remark = llvm::dyn_cast<llvm::DiagnosticInfoIROptimization>(&info);
    if (!remark) return false;
    const auto* block = llvm::dyn_cast_or_null<llvm::BasicBlock>(remark->getCodeRegion());
    if (!block) return true;
    const std::string name = block->getName().str();
    const bool vectorizer = remark->getPassName() == "loop-vectorize";
    if (vectorizer && info.getKind() == llvm::DK_OptimizationRemark) {
      said_->made.insert(name);
    } else if (vectorizer && info.getKind() == llvm::DK_OptimizationRemarkMissed) {
      said_->why_not.emplace(name, "");
    } else if (vectorizer) {
      said_->why_not[name] = remark->getMsg();
    } else if (info.getKind() == llvm::DK_OptimizationFailure) {
      said_->why_not.emplace(name, "");  // asked for, and not done
    }
    return true;
  }
  bool isAnalysisRemarkEnabled(llvm::StringRef pass) const override { return pass == "loop-vectorize"; }
  bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override { return pass == "loop-vectorize"; }
  bool isPassedOptRemarkEnabled(llvm::StringRef pass) const override { return pass == "loop-vectorize"; }
  bool isAnyRemarkEnabled() const override { return true; }

 private:
  std::shared_ptr<Vectorizer> said_;
};

/// "loop not vectorized: reason", in one line, without what it begins with.
std::string reason(std::string text) {
  const std::string begin = "loop not vectorized: ";
  if (text.starts_with(begin)) text.erase(0, begin.size());
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

void listen_to_vectorizer(llvm::LLVMContext& context, std::shared_ptr<Vectorizer> said) {
  context.setDiagnosticHandler(std::make_unique<Listener>(std::move(said)));
}

std::string to_text(const Vectorizer& said) {
  std::string out;
  for (const std::string& name : said.made) out += "+" + name + "\n";
  for (const auto& [name, why] : said.why_not) out += "-" + name + "\n" + reason(why) + "\n";
  return out;
}

std::vector<VectorizedLoop> settled(const std::vector<EmittedLoop>& loops, const std::string& said) {
  Vectorizer heard;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("+")) {
      heard.made.insert(line.substr(1));
    } else {
      std::getline(lines, heard.why_not[line.substr(1)]);
    }
  }
  std::vector<VectorizedLoop> out;
  for (const EmittedLoop& emitted : loops) {
    VectorizedLoop loop = emitted.loop;
    for (const std::string& block : emitted.blocks) {
      const auto why = heard.why_not.find(block);
      if (heard.made.count(block)) loop.code = VectorizedLoop::Code::Vector;
      if (why == heard.why_not.end() || loop.code != VectorizedLoop::Code::Unknown) continue;
      loop.code = VectorizedLoop::Code::Scalar;
      loop.why = why->second.empty() ? "LLVM's vectorizer does not take it" : "LLVM: " + why->second;
    }
    const auto same = [&](const VectorizedLoop& known) { return known.var == loop.var; };
    const auto known = std::find_if(out.begin(), out.end(), same);
    if (known == out.end()) {
      out.push_back(loop);
    } else if (known->code != VectorizedLoop::Code::Scalar && loop.code != VectorizedLoop::Code::Unknown) {
      *known = loop;
    }
  }
  return out;
}

}  // namespace hexproof::codegen
