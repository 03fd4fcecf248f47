#define NORMCHECK_PASSES passes_avx2
#define NORMCHECK_PASSES_NAME "avx2"
#include "oracles/certified/passes_body.hpp"
