// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "turbulence_study.hpp"

#include "common/case/texts.hpp"
#include "common/run/study_run.hpp"
#include "turbulence/model/turbulence_model.hpp"
#include "turbulence/output/history.hpp"
#include "turbulence/output/turbulence_output.hpp"
#include "turbulence_estimate.hpp"
#include "turbulence_run.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace karman::turbulence {

int run_turbulence_study(app::RunContext& context, Case const& input) {
  app::Study const study = read_turbulence_study(input, context.folder());
  std::vector<TurbulenceCase> outlines;
  app::StudyWork work{.columns = History::columns(),
                      .result = fields_file,
                      .checkpoint = checkpoint_file,
                      .interval = "/solver/checkpoint_every",
                      .remarks = {},
                      .needs = {},
                      .evaluate = {},
                      .run = {},
                      .outputs = output_files};
  for (app::StudyMember const& member : study.members()) {
    outlines.push_back(read_turbulence_outline(member.input));
    for (std::string const& remark : outlines.back().remarks) {
      if (std::find(work.remarks.begin(), work.remarks.end(), remark) == work.remarks.end())
        work.remarks.push_back(remark);
    }
  }
  work.needs = [&](std::size_t n) {
    std::int64_t const bytes = turbulence_model_bytes(context.backend().backend, outlines[n].problem);
    TurbulenceEstimate const need = estimate(outlines[n], bytes, context.copy_rate());
    return app::MemberNeeds{need, app::formatted("about %.3g steps", need.steps)};
  };
  work.evaluate = [&](std::size_t n) { read_turbulence_case(study.members()[n].input); };
  work.run = [&](app::RunContext& member, std::size_t n) {
    return run_flow(member, study.members()[n].input, std::move(outlines[n]), 0);
  };
  return run_study(context, input, study, work);
}

}  // namespace karman::turbulence
