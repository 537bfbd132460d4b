#include "verify/prove/solvers/cache/question_key.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string_view>

#include "ir/buffer.h"

namespace hexproof {

namespace {

class KeyWriter {
 public:
  explicit KeyWriter(QuestionKey* key) : key_(*key) {}

  void write(const Expr& e) {
    const DType type = e->dtype;
    key_.push_back(uint64_t{static_cast<uint8_t>(e->op)} | uint64_t{e->wraps} << 8 |
                   uint64_t{static_cast<uint8_t>(type.code)} << 16 | uint64_t{type.bits} << 24 |
                   uint64_t{type.lanes} << 32 | uint64_t{e->payload.index()} << 48 | uint64_t{e->args.size()} << 56);
    if (const Var* var = std::get_if<Var>(&e->payload)) {
      key_.push_back(numbered(var->id(), &vars_));
    } else if (const Buffer* buffer = std::get_if<Buffer>(&e->payload)) {
      key_.push_back(numbered((*buffer)->id, &buffers_));
    } else if (const int64_t* value = std::get_if<int64_t>(&e->payload)) {
      key_.push_back(static_cast<uint64_t>(*value));
    } else if (const FloatBits* number = std::get_if<FloatBits>(&e->payload)) {
      key_.push_back(std::bit_cast<uint64_t>(number->value));
    } else if (const std::string* text = std::get_if<std::string>(&e->payload)) {
      write(*text);
    }
    if (e->args.size() > 255) key_.push_back(e->args.size());
    for (const Expr& arg : e->args) write(arg);
  }

  /// In which order the variables were made: work on a question goes in the order of its variables.
  void write_order() {
    std::vector<uint32_t> ids = vars_;
    std::sort(ids.begin(), ids.end());
    for (uint32_t id : vars_) {
      key_.push_back(static_cast<uint64_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin()));
    }
  }

 private:
  /// Opaque values have names of their own, with a `#`, and so have undefs.
  void write(const std::string& text) {
    const bool opaque = text.find('#') != text.npos;
    std::string_view name = text;
    if (opaque) name = name.substr(0, 0), key_.push_back(opaques_.emplace(text, opaques_.size()).first->second);
    key_.push_back(uint64_t{opaque} << 32 | name.size());
    for (size_t at = 0; at < name.size(); at += 8) {
      uint64_t word = 0;
      for (size_t k = at; k < std::min(at + 8, name.size()); ++k) word = word << 8 | static_cast<uint8_t>(name[k]);
      key_.push_back(word);
    }
  }

  static uint64_t numbered(uint32_t id, std::vector<uint32_t>* seen) {
    auto it = std::find(seen->begin(), seen->end(), id);
    if (it == seen->end()) it = seen->insert(it, id);
    return static_cast<uint64_t>(it - seen->begin());
  }

  QuestionKey& key_;
  std::vector<uint32_t> vars_, buffers_;
  std::map<std::string, uint64_t> opaques_;
};

}  // namespace

QuestionKey question_key(const std::vector<Expr>& given, const Expr& goal) {
  QuestionKey key{given.size()};
  KeyWriter writer(&key);
  for (const Expr& e : given) writer.write(e);
  writer.write(goal);
  writer.write_order();
  return key;
}

}  // namespace hexproof
