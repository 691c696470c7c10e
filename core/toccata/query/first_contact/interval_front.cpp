#include "toccata/query/first_contact/interval_front.hpp"

namespace toccata {

void FrontRecord::store() {
  if (!coherence_) return;
  std::erase_if(siblings_, [](const FrontSiblings& pairs) { return pairs.lanes == 0; });
  ++coherence_->age;
  if (coherence_->front.empty()) coherence_->rooted_size = siblings_.size(), coherence_->age = 0;
  // Fronts only grow from query to query, and stay fine where the bodies have parted. Measured on
  // small steps near contact, these limits save a fifth to a third of the time; letting the front
  // grow to twice its size saves nothing.
  const bool grown = siblings_.size() > coherence_->rooted_size + coherence_->rooted_size / 8;
  if (overflow_ || grown || coherence_->age >= 8) siblings_.clear();
  coherence_->front.assign(siblings_.begin(), siblings_.end());
}

}  // namespace toccata
