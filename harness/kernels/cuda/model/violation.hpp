// How the device model ends a call: apart from the machine, so that who catches it needs no more.
#pragma once

#include <stdexcept>

namespace normcheck::model {

/// What a device would punish, as a sentence; thrown out of the launch.
class Violation : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace normcheck::model
