#include "backend/codegen/loader.h"

#include <llvm/ExecutionEngine/RTDyldMemoryManager.h>
#include <llvm/ExecutionEngine/RuntimeDyld.h>
#include <llvm/ExecutionEngine/SectionMemoryManager.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/DynamicLibrary.h>
#include <llvm/Support/MemoryBuffer.h>

#include "ir/base/diagnostic.h"

namespace hexproof::codegen {

struct LoadedObject::Impl {
  std::unique_ptr<llvm::MemoryBuffer> bytes;
  std::unique_ptr<llvm::object::ObjectFile> object;
  llvm::SectionMemoryManager memory;
  std::unique_ptr<llvm::RuntimeDyld> linker;
};

LoadedObject::LoadedObject(const std::vector<uint8_t>& object) : impl_(std::make_unique<Impl>()) {
  llvm::sys::DynamicLibrary::LoadLibraryPermanently(nullptr);
  llvm::StringRef text(reinterpret_cast<const char*>(object.data()), object.size());
  impl_->bytes = llvm::MemoryBuffer::getMemBufferCopy(text, "code");
  auto parsed = llvm::object::ObjectFile::createObjectFile(impl_->bytes->getMemBufferRef());
  HEXPROOF_CHECK(bool(parsed), "LLVM does not read its own object");
  impl_->object = std::move(*parsed);
  impl_->linker = std::make_unique<llvm::RuntimeDyld>(impl_->memory, impl_->memory);
  impl_->linker->loadObject(*impl_->object);
  impl_->linker->resolveRelocations();
  HEXPROOF_CHECK(!impl_->linker->hasError(), "linking in memory: " + impl_->linker->getErrorString().str());
  std::string error;
  HEXPROOF_CHECK(!impl_->memory.finalizeMemory(&error), "code memory: " + error);
}

LoadedObject::~LoadedObject() = default;
LoadedObject::LoadedObject(LoadedObject&&) noexcept = default;

void* LoadedObject::address(const std::string& symbol) const {
  auto found = impl_->linker->getSymbol(symbol);
  HEXPROOF_CHECK(found.getAddress() != 0, "no code for " + symbol);
  return reinterpret_cast<void*>(static_cast<uintptr_t>(found.getAddress()));
}

}  // namespace hexproof::codegen
