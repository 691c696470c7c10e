#include "toccata/query/articulated/first_contact.hpp"

#include "toccata/base/parallel_for.hpp"
#include "toccata/query/articulated/hca_search.hpp"
#include "toccata/query/articulated/interval_search.hpp"
#include "toccata/query/articulated/search.hpp"

namespace toccata {

RobotContact first_contact(const Robot& robot, const World& world, const Way& way,
                           const RobotOptions& options, ContactMemory* memory) {
  // They keep their memory from query to query.
  if (options.options.method == Method::hca && !way.powers) {
    thread_local HcaSearch search;
    return search.run(robot, world, way.start, way.end, options, memory);
  }
  if (options.options.method == Method::interval || options.any) {
    thread_local IntervalSearch search;
    return search.run(robot, world, way, options);
  }
  thread_local RobotSearch search;
  return search.run(robot, world, way, options);
}

void first_contact_batch(const Robot& robot, const World& world, const double* q_0,
                         const double* q_1, const RobotOptions& options, unsigned threads,
                         std::span<RobotContact> results) {
  const std::size_t width = robot.coordinates();
  parallel_for(results.size(), 8, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i)
      results[i] = first_contact(robot, world, q_0 + i * width, q_1 + i * width, options);
  });
}

}  // namespace toccata
