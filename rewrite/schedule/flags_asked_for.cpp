// What a refused primitive asks for: the fast-math flags with which it would go through, found by trying.
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/schedule/schedule.h"
#include "verify/prove/effort.h"

namespace hexproof {
namespace {

bool computes_floats(const PrimFunc& func) {
  bool found = false;
  visit_all_exprs(func.body, [&](const Expr& e) { found |= e->dtype.is_float(); });
  return found;
}

}  // namespace

std::string Schedule::flags_asked_for(const std::function<void()>& f) {
  const PrimFunc now = func();
  if (!computes_floats(now)) return {};
  const Derivation saved = derivation_;
  const std::map<std::string, std::string> names = renamed_;
  const std::vector<std::string> granted = now.granted_flags();
  auto goes_through = [&](std::vector<std::string> flags) {
    flags.insert(flags.end(), granted.begin(), granted.end());
    PrimFunc with_flags = now;
    with_flags.attrs[kFastMathAttribute] = join_flags(flags);
    if (!ill_formed(with_flags).empty()) return false;
    bool done = false;
    derivation_ = Derivation(with_flags);
    ++depth_;
    try {
      f();
      done = true;
    } catch (const OutOfTime&) {
      throw;
    } catch (const std::exception&) {
      done = false;  // refused again, or for another reason
    }
    --depth_;
    derivation_ = saved, renamed_ = names;
    return done;
  };
  // More flags need not let more through: `ninf` forbids padding that is infinite, `reassoc` leaves open how sums are
  // rounded.
  std::vector<std::string> flags;
  bool through = false;
  for (const std::vector<const char*>& tried :
       {std::vector<const char*>{"nnan", "nsz"}, {"nnan", "ninf", "nsz"}, {"nnan", "ninf", "nsz", "reassoc"}}) {
    std::vector<std::string> more;
    for (const char* flag : tried) {
      if (!now.granted(flag)) more.push_back(flag);
    }
    if (through || more.empty() || more == flags) continue;
    flags = more;
    through = goes_through(flags);
  }
  if (!through) return {};
  for (size_t k = flags.size(); k-- > 0;) {
    std::vector<std::string> fewer = flags;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
    if (goes_through(fewer)) flags = std::move(fewer);
  }
  std::string text;
  bool finite = false;
  for (const std::string& flag : flags) {
    text += (text.empty() ? "`" : " `") + flag + "`";
    finite |= flag == "nnan" || flag == "ninf";
  }
  if (text.empty()) return {};
  text = "it goes through with " + text + " granted (--fp, or the attribute " + kFastMathAttribute + ")";
  if (finite) text += "; assumes that what is loaded is finite stand for `nnan` and `ninf`";
  return text;
}

}  // namespace hexproof
