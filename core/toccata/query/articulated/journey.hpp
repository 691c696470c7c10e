// A robot on its way from one configuration to another, among the bodies of a world.
#pragma once

#include "toccata/query/articulated/places.hpp"
#include "toccata/query/articulated/world.hpp"

namespace toccata {

struct Journey {
  const Robot& robot;
  const World& world;
  Places& places;
  const Options& options;
};

}  // namespace toccata
