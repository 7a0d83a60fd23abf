// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library for LD_PRELOAD, which sends a signal to its process at a chosen call of a function. A test so reaches every
// phase of a run, on machines of any speed. Environment:
//   KARMAN_HOOK_EVENT   open (of a file), lock (of a folder), publish (of a file), kernel (of OpenMP), formula
//   KARMAN_HOOK_NAME    end of the name of the file
//   KARMAN_HOOK_COUNT   the call, from 1
//   KARMAN_HOOK_SIGNAL  its number
//   KARMAN_HOOK_LOG     file for "KERNELS FORMULAS SENT LATER" at the end: calls of both, whether the signal was sent,
//                       calls of the same event after it
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

std::atomic<long> kernels{0}, formulas{0}, matching{0}, later{0};
std::atomic<bool> sent{false};

std::string_view variable(char const* name) {
  char const* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// Settings, read once: getenv is too slow for every formula.
struct Settings {
  std::string_view event = variable("KARMAN_HOOK_EVENT"), name = variable("KARMAN_HOOK_NAME");
  long count = std::atol(std::getenv("KARMAN_HOOK_COUNT") != nullptr ? std::getenv("KARMAN_HOOK_COUNT") : "0");
  int number = std::atoi(std::getenv("KARMAN_HOOK_SIGNAL") != nullptr ? std::getenv("KARMAN_HOOK_SIGNAL") : "0");
};

Settings const& settings() {
  static Settings const read;
  return read;
}

/// Before the call of an event.
void at(std::string_view event, std::string_view name = {}) {
  Settings const& chosen = settings();
  if (chosen.number == 0 || event != chosen.event || !name.ends_with(chosen.name)) return;
  if (sent.load()) ++later;
  if (++matching != chosen.count) return;
  ::raise(chosen.number);  // to this thread, so that it is there before the call
  sent.store(true);        // calls of other threads count from here on
}

template <class Function>
Function* next(char const* name, Function* /*type*/) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

struct Log {
  ~Log() {
    std::string_view const path = variable("KARMAN_HOOK_LOG");
    std::FILE* const file = path.empty() ? nullptr : std::fopen(path.data(), "w");
    if (file == nullptr) return;
    std::fprintf(file, "%ld %ld %d %ld\n", kernels.load(), formulas.load(), sent.load() ? 1 : 0, later.load());
    std::fclose(file);
  }
} const log_at_exit;

}  // namespace

extern "C" {

int open(char const* path, int flags, ...) {
  static auto* const real = next("open", &open);
  va_list more;
  va_start(more, flags);
  int const mode = (flags & O_CREAT) != 0 ? va_arg(more, int) : 0;
  va_end(more);
  at("open", path);
  return real(path, flags, mode);
}

// Names of the same call, where files may be large and where the C library checks the number of arguments.
int open64(char const* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  int const mode = (flags & O_CREAT) != 0 ? va_arg(more, int) : 0;
  va_end(more);
  return open(path, flags | O_LARGEFILE, mode);
}

int __open_2(char const* path, int flags) { return open(path, flags, 0); }

int __open64_2(char const* path, int flags) { return open(path, flags | O_LARGEFILE, 0); }

int flock(int descriptor, int operation) {
  static auto* const real = next("flock", &flock);
  at("lock");
  return real(descriptor, operation);
}

int link(char const* from, char const* to) noexcept {
  static auto* const real = next("link", &link);
  at("publish", to);
  return real(from, to);
}

int rename(char const* from, char const* to) noexcept {
  static auto* const real = next("rename", &rename);
  at("publish", to);
  return real(from, to);
}

void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags) {
  static auto* const real = next("GOMP_parallel", &GOMP_parallel);
  ++kernels;
  at("kernel");
  real(body, data, threads, flags);
}

/// mu::ParserBase::Eval() const
double karman_test_formula(void const* parser) __asm__("_ZNK2mu10ParserBase4EvalEv");
double karman_test_formula(void const* parser) {
  static auto* const real = next("_ZNK2mu10ParserBase4EvalEv", &karman_test_formula);
  ++formulas;
  at("formula");
  return real(parser);
}

}  // extern "C"
