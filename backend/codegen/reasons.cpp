// Why a flag is there: metadata `hexproof.because` on what has flags whose violation would be undefined behaviour.
//
// Of each grant there is a node in the named metadata `hexproof.grants`: its name, the flags, the reason in words, and
// the positions, in the check report of the certificate, of the obligations behind it (none: the calling contract).
// Instructions name such a node; functions those of the contracts that their parameters rely on. An alignment has a
// node of its own, with the sentence that was proved of that access, or, at the size of an element, the contract of
// every buffer. LLVM's passes keep the nodes of what they keep, and infer flags of their own.
#include "backend/codegen/function.h"

namespace hexproof::codegen {

llvm::MDNode* FunctionEmitter::reason(const std::string& grant) {
  llvm::MDNode*& node = reasons_[grant];
  if (node) return node;
  for (const Grants::Basis& basis : options_.grants.basis()) {
    if (basis.grant != grant) continue;
    auto text = [&](const std::string& s) { return llvm::MDString::get(context_, s); };
    std::vector<llvm::Metadata*> parts = {text(basis.grant), text(basis.flags), text(basis.reason)};
    for (size_t position : basis.obligations) parts.push_back(llvm::ConstantAsMetadata::get(b_.getInt64(position)));
    node = llvm::MDNode::get(context_, parts);
    module_.getOrInsertNamedMetadata("hexproof.grants")->addOperand(node);
  }
  HEXPROOF_CHECK(node, "a flag rests on '" + grant + "', which nothing grants");
  return node;
}

llvm::Value* FunctionEmitter::because(const std::string& grant, llvm::Value* value) {
  auto* made = llvm::dyn_cast<llvm::Instruction>(value);
  if (!made) return value;  // folded to a constant
  auto* sum = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(made);
  auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(made);
  bool flagged = (sum && (sum->hasNoSignedWrap() || sum->hasNoUnsignedWrap())) || (address && address->isInBounds());
  if (flagged && !made->hasMetadata(kBecause)) made->setMetadata(kBecause, reason(grant));
  return value;
}

llvm::Value* FunctionEmitter::because_in_rows(llvm::Value* value) {
  auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(value);
  if (!address || !address->isInBounds()) return value;
  llvm::Metadata* parts[] = {reason("in_bounds"), reason("row_tables")};
  address->setMetadata(kBecause, llvm::MDNode::get(context_, parts));
  return value;
}

void FunctionEmitter::because_of_table(llvm::LoadInst* row) {
  if (!options_.grants.row_tables()) return row->setMetadata(kBecause, natural_alignment());
  row->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
  row->setMetadata(kBecause, reason("row_tables"));
}

void FunctionEmitter::because_proved(llvm::Instruction* access, const std::string* sentence) {
  if (!sentence) {
    if (llvm::getLoadStoreAlignment(access).value() > 1) access->setMetadata(kBecause, natural_alignment());
    return;
  }
  llvm::Metadata* parts[] = {llvm::MDString::get(context_, *sentence), reason("aligned_accesses"),
                             reason("aligned_params")};
  access->setMetadata(kBecause, llvm::MDNode::get(context_, parts));
}

llvm::MDNode* FunctionEmitter::natural_alignment() {
  auto text = [&](const char* s) { return llvm::MDString::get(context_, s); };
  return llvm::MDNode::get(context_, {text("natural_alignment"), text("align"),
                                      text("memory of a type stands at a multiple of the size of its elements; a "
                                           "caller who passes another breaks the contract")});
}

void FunctionEmitter::name_contracts() {
  std::vector<llvm::Metadata*> nodes;
  auto add = [&](bool granted, const char* name) {
    if (granted) nodes.push_back(reason(name));
  };
  add(options_.grants.no_alias_params() && !options_.packed_arguments, "no_alias_params");
  add(options_.grants.row_tables() && !options_.packed_arguments, "row_tables");
  add(options_.grants.aligned_params(), "aligned_params");
  add(options_.grants.in_bounds() && !options_.packed_arguments, "in_bounds");  // the workspace's alignment
  if (!nodes.empty()) function_->setMetadata(kBecause, llvm::MDNode::get(context_, nodes));
}

}  // namespace hexproof::codegen
