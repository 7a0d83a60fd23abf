// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command_line.hpp"
#include "info.hpp"
#include "kokkos_runtime.hpp"
#include "poisson_case.hpp"
#include "poisson_run.hpp"
#include "shipped_cases.hpp"
#include "wave_case.hpp"
#include "wave_run.hpp"
#include "wind_case.hpp"
#include "wind_run.hpp"
#include <karman/io/error.hpp>

#include <array>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

using karman::app::Command;

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

/// An application as the command sees it.
struct Application {
  std::string_view name;
  int (*run)(karman::app::RunOptions const&);
  std::string_view (*schema)();
  std::string_view (*example)();
};

constexpr std::array applications{
    Application{"poisson", karman::poisson::run_poisson, karman::poisson::schema, karman::poisson::example},
    Application{"waves", karman::waves::run_waves, karman::waves::schema, karman::waves::example},
    Application{"wind", karman::wind::run_wind, karman::wind::schema, karman::wind::example}};

Application const& application_of(Command const& command) {
  for (Application const& application : applications) {
    if (application.name == command.application) return application;
  }
  throw std::logic_error("there is no application " + command.application);
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
  std::fprintf(stderr, "karman: there is no shipped case %s of %s (karman list)\n", command.example_name.c_str(),
               command.application.c_str());
  return karman::app::usage;
}

int execute(Command const& command) {
  switch (command.action) {
    case Command::Action::finish: return command.exit_code;
    case Command::Action::run: return application_of(command).run(command.options);
    case Command::Action::example: return print_example(command);
    case Command::Action::schema: print(application_of(command).schema()); return karman::app::done;
    case Command::Action::info: print(karman::app::info_report(command.json)); return karman::app::done;
    case Command::Action::list: print(karman::app::list_report()); return karman::app::done;
  }
  return karman::app::failed;
}

int report(char const* what, int exit_code) {
  std::fprintf(stderr, "%s\n", what);
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return execute(karman::app::parse_command_line(argc, argv));
  } catch (karman::CaseError const& error) {
    return report(error.what(), karman::CaseError::exit_code);
  } catch (karman::FileError const& error) {
    return report(error.what(), karman::FileError::exit_code);
  } catch (karman::app::BackendError const& error) {
    return report(error.what(), karman::app::breakdown);
  } catch (std::bad_alloc const&) {
    return report("karman: out of memory", karman::app::usage);
  } catch (std::runtime_error const& error) {
    return report((std::string("karman: ") + error.what()).c_str(), karman::app::usage);
  } catch (std::exception const& error) {
    return report((std::string("karman: internal error: ") + error.what()).c_str(), karman::app::failed);
  }
}
