#include "toccata/query/first_contact/interval_front.hpp"

namespace toccata {

void FrontRecord::store() {
  if (!memory_) return;
  std::erase_if(families_, [](const FrontFamily& pairs) { return pairs.lanes == 0; });
  ++memory_->age;
  if (memory_->front.empty()) memory_->rooted_size = families_.size(), memory_->age = 0;
  // Fronts only grow from query to query, and stay fine where the bodies have parted. Measured on
  // small steps near contact, these limits save a fifth to a third of the time; letting the front
  // grow to twice its size saves nothing.
  const bool grown = families_.size() > memory_->rooted_size + memory_->rooted_size / 8;
  if (overflow_ || grown || memory_->age >= 8) families_.clear();
  memory_->front.assign(families_.begin(), families_.end());
}

}  // namespace toccata
