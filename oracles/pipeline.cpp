// Both arithmetics' pipelines from the sums to the scenarios.
#include "oracles/pipeline.hpp"

#include "oracles/pipeline_reciprocal.hpp"
#include "oracles/pipeline_root.hpp"
#include "oracles/pipeline_statistics.hpp"

namespace normcheck {

RowProgram row_program(const Contract& contract, const RowSums& sums, const InputLoss& input_loss,
                       const ProgramOptions& options) {
    return Pipeline<Exact>(contract, sums, input_loss, options).run();
}

BasicRowProgram<Certified> row_program(const Contract& contract, const NearSums& sums,
                                       const BasicInputLoss<Certified>& input_loss, const ProgramOptions& options) {
    return Pipeline<Certified>(contract, sums, input_loss, options).run();
}

}  // namespace normcheck
