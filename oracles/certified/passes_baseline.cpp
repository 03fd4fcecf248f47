#define NORMCHECK_PASSES passes_baseline
#define NORMCHECK_PASSES_NAME "baseline"
#include "oracles/certified/passes_body.hpp"
