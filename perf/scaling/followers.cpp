// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Google Benchmark chooses repetitions by its clock, which differs between processes. So it runs in the first one
// alone, which announces each call to the others before it makes it.
#include "processes.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

namespace karman::perf {

namespace {

enum class Step { prepare, check, time, release };

/// A call of the first process.
struct Call {
  Step step = Step::release;
  int number = 0;  ///< of the row, for `prepare`; calls, for `time`
  bool spoil = false;
};

/// The number that a launcher has put into one of these variables.
int from_environment(std::initializer_list<char const*> variables, int otherwise) {
  for (char const* const variable : variables) {
    if (char const* const text = std::getenv(variable)) return std::atoi(text);
  }
  return otherwise;
}

/// A call in which an error of one process would leave the others waiting.
template <class Function>
auto together(Communicator const& processes, Function const& function) {
  try {
    return function();
  } catch (std::exception const& error) {
    if (processes.size() == 1) throw;
    std::fprintf(stderr, "karman-perf: process %d: %s\n", processes.rank(), error.what());
    abandon(1);
  }
}

/// The work of the first process.
class LedWork final : public Work {
 private:
  template <class Function>
  auto call(Call const& announced, Function const& function) {
    processes_.broadcast(announced);
    return together(processes_, function);
  }

 public:
  LedWork(Communicator processes, std::unique_ptr<Work> own) : processes_(std::move(processes)), own_(std::move(own)) {}

  std::string check(bool spoil) override {
    return call({.step = Step::check, .spoil = spoil}, [&] { return own_->check(spoil); });
  }
  double time(int calls) override {
    return call({.step = Step::time, .number = calls}, [&] { return own_->time(calls); });
  }
  double bytes() const override { return own_->bytes(); }
  Figures figures() const override { return own_->figures(); }

 private:
  Communicator processes_;
  std::unique_ptr<Work> own_;
};

}  // namespace

bool is_first_process() { return from_environment({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}, 0) == 0; }

int launched_processes() { return from_environment({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 1); }

void lead(Row& row, int number, Communicator const& processes) {
  row.prepare = [prepare = row.prepare, number, processes]() -> std::unique_ptr<Work> {
    processes.broadcast(Call{.step = Step::prepare, .number = number});
    return std::make_unique<LedWork>(processes, together(processes, prepare));
  };
}

void follow(std::vector<Row> const& rows, Communicator const& processes) {
  std::unique_ptr<Work> work;
  for (;;) {
    Call const announced = processes.broadcast(Call{});
    if (announced.step == Step::release) return;
    together(processes, [&] {
      switch (announced.step) {
        case Step::prepare:
          work.reset();  // frees the old data before the new ones
          work = rows.at(static_cast<std::size_t>(announced.number)).prepare();
          break;
        case Step::check: work->check(announced.spoil); break;
        case Step::time: work->time(announced.number); break;
        case Step::release: break;
      }
    });
  }
}

void release(Communicator const& processes) { processes.broadcast(Call{}); }

}  // namespace karman::perf
