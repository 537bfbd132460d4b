#include "hexproof/session.h"

#include "tools/api/detail.h"
#include "verify/prove/effort.h"
#include "verify/prove/prover.h"
#include "verify/prove/solvers/cache/cache.h"

namespace hexproof::api {

struct Session::Impl {
  Limits limits;
  std::unique_ptr<Prover> prover;
};

Session::Session(const Limits& limits) : impl_(new Impl{limits, nullptr}) {
  translated([&] {
    demand_cache(limits.cache);
    begin();
    impl_->prover = std::make_unique<Prover>(
        ProverOptions{.cache_path = limits.cache, .rlimit = limits.rlimit, .jobs = limits.jobs});
  });
}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;

const Limits& Session::limits() const { return impl_->limits; }
void Session::begin(size_t functions) { TimeBudget::start(impl_->limits.seconds * static_cast<double>(functions)); }
Prover& Session::prover() { return *impl_->prover; }

}  // namespace hexproof::api
