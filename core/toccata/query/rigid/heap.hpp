// A queue of tasks by time.
#pragma once

#include <algorithm>
#include <vector>

namespace toccata {

/// Hands out the task with the least `time` first. Keeps its memory when cleared.
template <class Task>
class TimeHeap {
 public:
  void clear() { tasks_.clear(); }
  bool empty() const { return tasks_.empty(); }
  void push(const Task& task) {
    tasks_.push_back(task);
    std::push_heap(tasks_.begin(), tasks_.end(), later);
  }
  Task pop() {
    std::pop_heap(tasks_.begin(), tasks_.end(), later);
    const Task task = tasks_.back();
    tasks_.pop_back();
    return task;
  }

 private:
  static bool later(const Task& a, const Task& b) { return a.time > b.time; }
  std::vector<Task> tasks_;
};

}  // namespace toccata
