#define NORMCHECK_PASSES passes_avx512
#define NORMCHECK_PASSES_NAME "avx512"
#include "oracles/certified/passes_body.hpp"
