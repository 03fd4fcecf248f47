// Whether this is compiled with AddressSanitizer, for those who have to act otherwise then. GCC and Clang tell it in
// different ways.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define NORMCHECK_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NORMCHECK_ADDRESS_SANITIZER
#endif
#endif

namespace normcheck {

#ifdef NORMCHECK_ADDRESS_SANITIZER
constexpr bool has_address_sanitizer = true;
#else
constexpr bool has_address_sanitizer = false;
#endif

}  // namespace normcheck
