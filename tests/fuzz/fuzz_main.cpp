// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one target for some seconds with inputs made from its seeds, always the same ones for the same number.
//
//   fuzz_<target> [--seconds S] [--seed N] [--save FOLDER] [FILE...]     with FILEs: these inputs once
//   fuzz_<target> --corpus FOLDER                                        writes the seeds as files, for libFuzzer
//
// KARMAN_FUZZ_SECONDS is the default of --seconds. An input fails if it ends the process, throws an undocumented
// exception, or runs for more than ten seconds. It is saved as FOLDER/<target>-<number>.input, and the exit code is not
// 0.
#include "fuzz_target.hpp"
#include "mutator.hpp"

#include <fcntl.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

extern "C" void __sanitizer_set_death_callback(void (*)()) __attribute__((weak));

namespace {

constexpr int most_seconds_an_input = 10;  ///< of processor time: other load does not count
constexpr std::size_t most_bytes = 1 << 14;

/// State of a signal handler, allocated before the first signal.
struct Current {
  std::string input;
  char file[1024] = {};
};
/// Never destroyed: the search for leaks comes after main.
Current& current = *new Current;

/// Safe within a handler of a signal.
void save_input() {
  int const file = ::open(current.file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return;
  char const* from = current.input.data();
  for (std::size_t left = current.input.size(); left > 0;) {
    ssize_t const written = ::write(file, from, left);
    if (written <= 0) break;
    from += written;
    left -= static_cast<std::size_t>(written);
  }
  ::close(file);
  for (std::string_view const part :
       {std::string_view("input saved as "), std::string_view(current.file), std::string_view("\n")}) {
    if (::write(STDERR_FILENO, part.data(), part.size()) < 0) return;
  }
}

void on_signal(int number) {
  save_input();
  std::signal(number, SIG_DFL);
  std::raise(number);
}

void on_too_long(int) {
  constexpr std::string_view words = "an input took more than ten seconds\n";
  if (::write(STDERR_FILENO, words.data(), words.size()) < 0) ::_exit(1);
  save_input();
  ::_exit(1);
}

/// 0: no limit.
void limit_time(int seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_PROF, &timer, nullptr);
}

/// False when it throws an undocumented exception.
bool survives(std::string input) {
  current.input = std::move(input);
  limit_time(most_seconds_an_input);
  // An exact copy on the heap, so that a sanitizer sees the first byte beyond it.
  std::vector<std::uint8_t> const bytes(current.input.begin(), current.input.end());
  try {
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  } catch (std::exception const& error) {
    std::fprintf(stderr, "an exception that is not documented: %s\n", error.what());
    save_input();
    return false;
  }
  limit_time(0);
  return true;
}

struct Options {
  double seconds = 3;
  std::uint64_t seed = 1;
  std::filesystem::path save = ".";
  std::filesystem::path corpus;
  std::vector<std::filesystem::path> files;
};

Options read_options(int argc, char** argv) {
  Options options;
  if (char const* seconds = std::getenv("KARMAN_FUZZ_SECONDS")) options.seconds = std::atof(seconds);
  for (int n = 1; n < argc; ++n) {
    std::string const word = argv[n];
    bool const named = word.rfind("--", 0) == 0;
    if (named && n + 1 == argc) {
      std::fprintf(stderr, "%s needs a value\n", word.c_str());
      std::exit(2);
    }
    if (word == "--seconds") options.seconds = std::atof(argv[++n]);
    else if (word == "--seed") options.seed = std::strtoull(argv[++n], nullptr, 10);
    else if (word == "--save") options.save = argv[++n];
    else if (word == "--corpus") options.corpus = argv[++n];
    else if (!named) options.files.emplace_back(word);
    else {
      std::fprintf(stderr, "unknown option %s\n", word.c_str());
      std::exit(2);
    }
  }
  return options;
}

int write_corpus(std::filesystem::path const& folder, std::vector<std::string> const& seeds) {
  std::filesystem::create_directories(folder);
  for (std::size_t n = 0; n < seeds.size(); ++n)
    std::ofstream(folder / ("seed-" + std::to_string(n)), std::ios::binary) << seeds[n];
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options const options = read_options(argc, argv);
  std::vector<std::string> const seeds = karman::fuzz::seeds();
  if (!options.corpus.empty()) return write_corpus(options.corpus, seeds);
  std::string const target = std::filesystem::path(argv[0]).filename();
  std::snprintf(current.file, sizeof current.file, "%s/%s-%llu.input", options.save.c_str(), target.c_str(),
                static_cast<unsigned long long>(options.seed));
  current.input.reserve(most_bytes);
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(save_input);
  else
    for (int const number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(number, on_signal);
  std::signal(SIGPROF, on_too_long);

  if (!options.files.empty()) current.file[0] = '\0';  // they are saved already
  for (auto const& file : options.files) {
    std::ifstream in(file, std::ios::binary);
    if (!survives({std::istreambuf_iterator<char>(in), {}})) return 1;
  }
  if (!options.files.empty()) return 0;
  for (std::string const& seed : seeds) {
    if (!survives(seed)) return 1;
  }
  karman::fuzz::Mutator mutate(options.seed, karman::fuzz::words());
  using Clock = std::chrono::steady_clock;
  auto const end = Clock::now() + std::chrono::duration<double>(options.seconds);
  long long runs = 0;
  for (; Clock::now() < end; ++runs) {
    std::string const& from = seeds[mutate.below(seeds.size())];
    std::string const& other = seeds[mutate.below(seeds.size())];
    if (!survives(mutate(from, other, most_bytes))) return 1;
  }
  std::printf("%s: %lld inputs of seed %llu in %.0f s, none did harm\n", target.c_str(), runs,
              static_cast<unsigned long long>(options.seed), options.seconds);
  return 0;
}
