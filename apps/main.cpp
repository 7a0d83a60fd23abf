// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command/application.hpp"
#include "command/command_line.hpp"
#include "command/info.hpp"
#include "command/shipped_cases.hpp"
#include "common/run/exit_codes.hpp"
#include "common/run/processes.hpp"
#include "euler/case/flow_case.hpp"
#include "euler/run/flow_run.hpp"
#include "poisson/case/poisson_case.hpp"
#include "poisson/run/poisson_run.hpp"
#include "turbulence/case/turbulence_case.hpp"
#include "turbulence/run/turbulence_run.hpp"
#include "waves/case/wave_case.hpp"
#include "waves/run/wave_run.hpp"
#include "wind/case/wind_case.hpp"
#include "wind/import/import_project.hpp"
#include "wind/run/wind_run.hpp"

#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace {

using karman::app::Application;
using karman::app::Command;
using karman::app::print;

constexpr std::array applications{
    Application{"euler", karman::euler::run_euler, karman::euler::schema, karman::euler::example},
    Application{"poisson", karman::poisson::run_poisson, karman::poisson::schema, karman::poisson::example, true, true},
    Application{"turbulence", karman::turbulence::run_turbulence, karman::turbulence::schema,
                karman::turbulence::example, true},
    Application{"waves", karman::waves::run_waves, karman::waves::schema, karman::waves::example, true},
    Application{"wind", karman::wind::run_wind, karman::wind::schema, karman::wind::example, true, true}};

Application const& application_of(Command const& command) {
  for (Application const& application : applications) {
    if (application.name == command.application) return application;
  }
  throw std::logic_error("no application " + command.application);
}

int print_example(Command const& command) {
  if (command.example_name.empty()) {
    print(application_of(command).example());
    return karman::app::done;
  }
  for (karman::app::ShippedCase const& shipped : karman::app::shipped_cases()) {
    if (shipped.name == command.example_name && shipped.application == command.application) {
      print(shipped.text);
      return karman::app::done;
    }
  }
  std::fprintf(stderr, "karman: no shipped case %s of %s; karman list shows all\n", command.example_name.c_str(),
               command.application.c_str());
  return karman::app::usage;
}

int execute(Command const& command) {
  switch (command.action) {
    case Command::Action::finish: return command.exit_code;
    case Command::Action::run: return run_application(application_of(command), command.options);
    case Command::Action::example: return print_example(command);
    case Command::Action::schema: print(application_of(command).schema()); return karman::app::done;
    case Command::Action::import: return karman::wind::print_import(command.import_path);
    case Command::Action::info:
      print(karman::app::info_report(command.json, *command.options.processes));
      return karman::app::done;
    case Command::Action::list: print(karman::app::list_report()); return karman::app::done;
  }
  return karman::app::failed;
}

}  // namespace

int main(int argc, char** argv) {
  karman::app::begin_process();
  Command command = [&] {
    karman::app::QuietBesideFirst const quiet;
    return karman::app::parse_command_line(argc, argv);
  }();
  std::string const called = command.application.empty() ? "karman" : "karman " + command.application;
  return karman::app::complete_process(called, command, argv, [&] { return execute(command); });
}
