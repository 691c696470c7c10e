// Headers that most tests include, parsed once.
#pragma once

#include <algorithm>
#include <functional>
#include <random>
#include <set>
#include <string>

#include "random_bodies.hpp"
#include "toccata/query/first_contact/first_contact.hpp"
