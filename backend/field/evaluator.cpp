#include "backend/field/evaluator.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "backend/codegen/loader.h"
#include "backend/codegen/target.h"
#include "backend/field/emitter.h"

namespace hexproof {
namespace {

using fingerprint::Algebra;

constexpr double kMaxWords = 0x1p29;  // four gigabytes

std::unique_ptr<field::CellCode> make_code(llvm::IRBuilder<>& builder, const Algebra& algebra, FieldView view) {
  switch (view) {
    case FieldView::Residues:
      return field::residue_code(builder, algebra);
    case FieldView::Degrees:
      return field::bound_code(builder, algebra, true);
    case FieldView::Bounds:
      return field::bound_code(builder, algebra, false);
  }
  internal_error(__FILE__, __LINE__, "no such view");
}

/// The cells of T.allocate_const, which no one writes.
std::vector<uint64_t> constant_cells(const field::Region& region, const field::CellCode& code) {
  std::vector<uint64_t> out;
  for (const Expr& e : region.constant) {
    HEXPROOF_CHECK(e->op == Op::IntImm || e->op == Op::FloatImm, "an element of a constant that is no constant");
    Scalar value = e->op == Op::FloatImm ? float_scalar(e->dtype, e->float_value())
                                         : Scalar{e->dtype, static_cast<uint64_t>(e->int_value())};
    std::vector<uint64_t> words = code.constant_words(value);
    out.insert(out.end(), words.begin(), words.end());
  }
  return out;
}

class FieldEvaluator : public NativeEvaluator {
 public:
  bool run(const PrimFunc& func, const Algebra& algebra, FieldView view, std::vector<std::vector<uint64_t>>& arguments,
           const FieldRunOptions& options) override {
    auto machine =
        codegen::make_machine(Target::Host, options.optimise ? codegen::Effort::Full : codegen::Effort::Fast);
    llvm::LLVMContext context;
    context.setDiscardValueNames(true);
    llvm::Module module("field", context);
    codegen::set_target(module, *machine);
    llvm::IRBuilder<> builder(context);
    std::unique_ptr<field::CellCode> code = make_code(builder, algebra, view);
    std::vector<field::Region> regions = field::regions_of(func);
    HEXPROOF_CHECK(func.buffer_params().size() == arguments.size(), "not one argument per buffer parameter");
    double words = 0;
    for (const field::Region& r : regions) {
      words += static_cast<double>(r.cells) * static_cast<double>(code->words(r.element));
    }
    if (words > kMaxWords) throw Unsupported(func.span, "memory of more cells than are held over a field");
    field::Emitter(module, builder, *code, algebra).emit(func, regions, options, "entry");
#ifdef HEXPROOF_CHECK_RULES
    codegen::verify(module);
#endif
    if (options.optimise) codegen::optimise(module, *machine);
    codegen::LoadedObject object(codegen::object_code(module, *machine));

    std::vector<std::vector<uint64_t>> allocated;
    std::vector<uint64_t*> addresses;
    uint64_t flag = 0;
    for (size_t i = 0; i < regions.size(); ++i) {
      size_t words = static_cast<size_t>(regions[i].cells) * code->words(regions[i].element);
      if (i < arguments.size()) {
        HEXPROOF_CHECK(arguments[i].size() == words, "an argument of another size than its parameter");
        addresses.push_back(arguments[i].data());
        continue;
      }
      allocated.push_back(constant_cells(regions[i], *code));
      HEXPROOF_CHECK(allocated.back().size() <= words, "a constant of more elements than its memory");
      allocated.back().resize(words);
      addresses.push_back(allocated.back().data());
    }
    addresses.push_back(&flag);
    reinterpret_cast<void (*)(uint64_t* const*)>(object.address("entry"))(addresses.data());
    return flag != 0;
  }
};

}  // namespace

std::unique_ptr<NativeEvaluator> make_native_evaluator() { return std::make_unique<FieldEvaluator>(); }

}  // namespace hexproof
