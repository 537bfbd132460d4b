// fill_branch: a value where a branch stores none.
#include "rewrite/layout/pad_value.h"
#include "rewrite/rules/args/stores.h"
#include "rewrite/schedule/schedule.h"
#include "rewrite/site/places.h"

namespace hexproof {

void Schedule::fill_branch(const BlockRef& block, const std::string& name, const PadArg& value) {
  primitive([&] {
    const Path scope = path_of(block);
    // Branches that do nothing but store to the buffer, in front of every later store to it.
    auto stores_alone = [&](const Stmt& s) {
      const If* branch = s.as<If>();
      const Store* store = branch && !branch->else_case ? branch->then_case.as<Store>() : nullptr;
      return store && store->buffer->name == name;
    };
    std::vector<Path> branches;
    for (const Path& at : find_all(func(), stores_alone)) {
      if (is_within(at, scope)) branches.push_back(at);
    }
    if (branches.empty()) fail("no branch without else in '" + current_name(block) + "' only stores to '" + name + "'");
    std::optional<Refused> refused;
    std::string reason;
    for (const Path& at : branches) {
      Stmt branch = stmt_at(func(), at);
      const Store& store = *branch.as<If>()->then_case.as<Store>();
      Padding filled = padding_arg(value, store.buffer, std::vector<std::string>(store.buffer->ndim(), "p"));
      if (filled.kind != Padding::Kind::Value) fail("the value is a constant");
      const InsertStoreArgs args{.at = at, .like = below(at, 0), .value = filled.value};
      std::vector<InsertStoreArgs> ways{args};
      for (const Path& by :
           find_all(func(), [&](const Stmt& s) { return s.as<Store>() && s.as<Store>()->buffer == store.buffer; })) {
        if (is_within(by, at) || !(at < by)) continue;
        ways.push_back(args);
        ways.back().by = by;
      }
      for (const InsertStoreArgs& way : ways) {
        try {
          return apply(way);
        } catch (const Refused& no) {
          if (!refused) refused = no;
        } catch (const NotApplicable& no) {
          if (reason.empty()) reason = no.what();
        }
      }
    }
    if (refused) throw Refused(*refused);
    throw NotApplicable(reason);
  });
}

}  // namespace hexproof
