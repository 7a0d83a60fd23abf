// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command_line.hpp"
#include "info.hpp"
#include "shipped_cases.hpp"
#include "wind_case.hpp"
#include "wind_run.hpp"
#include <karman/io/error.hpp>

#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

using karman::app::Command;

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

int print_example(std::string const& name) {
  if (name.empty()) {
    print(karman::wind::example());
    return karman::app::done;
  }
  for (karman::app::ShippedCase const& shipped : karman::app::shipped_cases()) {
    if (shipped.name == name) {
      print(shipped.text);
      return karman::app::done;
    }
  }
  std::fprintf(stderr, "karman: there is no shipped case %s (karman list)\n", name.c_str());
  return karman::app::usage;
}

int execute(Command const& command) {
  switch (command.action) {
    case Command::Action::finish: return command.exit_code;
    case Command::Action::run: return karman::wind::run_wind(command.options);
    case Command::Action::example: return print_example(command.example_name);
    case Command::Action::schema: print(karman::wind::schema()); return karman::app::done;
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
  } catch (std::bad_alloc const&) {
    return report("karman: out of memory", karman::app::usage);
  } catch (std::runtime_error const& error) {
    return report((std::string("karman: ") + error.what()).c_str(), karman::app::usage);
  } catch (std::exception const& error) {
    return report((std::string("karman: internal error: ") + error.what()).c_str(), karman::app::failed);
  }
}
