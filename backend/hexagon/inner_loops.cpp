#include "backend/hexagon/inner_loops.h"

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

namespace hexproof {
namespace {

struct PacketRange {
  size_t first = 0, last = 0;
};

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

std::string trimmed(const std::string& line) {
  size_t begin = line.find_first_not_of(" \t"), end = line.find_last_not_of(" \t");
  return begin == std::string::npos ? "" : line.substr(begin, end - begin + 1);
}

}  // namespace

std::vector<InnerLoop> inner_loops(const std::string& assembly) {
  std::vector<std::string> packets;
  std::map<std::string, size_t> labels;  // the packet that follows
  std::vector<PacketRange> loops;
  std::string hardware[2];  // where the loops of the two loop registers start
  std::istringstream lines(assembly);
  bool open = false;
  static const std::regex set("loop([01])\\((\\.\\w+)"), jump("jump(?::\\w+)? (\\.\\w+)"), label("^(\\.\\w+):");
  for (std::string line; std::getline(lines, line);) {
    line = trimmed(line.substr(0, line.find("//")));
    std::smatch found;
    if (!open && std::regex_search(line, found, label)) labels[found[1]] = packets.size();
    if (!open && !line.starts_with("{")) continue;
    if (!open) packets.emplace_back(), open = true;
    packets.back() += (packets.back().empty() ? "" : " ") + line;
    if (line.find('}') == std::string::npos) continue;
    open = false;
    const std::string& whole = packets.back();
    size_t here = packets.size() - 1;
    auto back_to = [&](const std::string& name) {
      auto it = labels.find(name);
      if (it != labels.end() && it->second <= here) loops.push_back({it->second, here});
    };
    if (std::regex_search(whole, found, jump)) back_to(found[1]);
    for (int k = 0; k < 2; ++k) {
      if (whole.find(":endloop" + std::to_string(k)) != std::string::npos) back_to(hardware[k]);
    }
    for (std::sregex_iterator it(whole.begin(), whole.end(), set), end; it != end; ++it) {
      hardware[(*it)[1] == "1"] = (*it)[2];
    }
  }
  std::vector<InnerLoop> out;
  for (const PacketRange& loop : loops) {
    bool innermost = std::none_of(loops.begin(), loops.end(), [&](const PacketRange& other) {
      bool inside = other.first >= loop.first && other.last <= loop.last;
      return inside && (other.first != loop.first || other.last != loop.last);
    });
    if (!innermost) continue;
    InnerLoop one;
    for (size_t k = loop.first; k <= loop.last; ++k) {
      const std::string& text = packets[k];
      one.packets.push_back(text);
      size_t products = count(text, "vrmpy");
      one.multiplies += products > 0, one.pairs += products > 1;
      for (const char* base : {"(r29", "(r30", "(sp", "(fp"}) {
        for (const char* memory : {"memd", "memw", "memh", "memb", "memub", "memuh", "vmem", "vmemu"}) {
          one.stack_accesses += static_cast<int64_t>(count(text, std::string(memory) + base));
        }
      }
    }
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace hexproof
