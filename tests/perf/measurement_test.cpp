// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "measurement.hpp"

#include "peers/child_program.hpp"
#include "peers/program_answers.hpp"
#include "peers/program_work.hpp"
#include "reporters.hpp"
#include "traffic.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace measurement_test {

using karman::perf::ChildProgram;
using karman::perf::number_of;
using karman::perf::prepare;
using karman::perf::program_work;
using karman::perf::Row;

/// An operation of known duration and answer.
class FakeWork : public karman::perf::Work {
 public:
  FakeWork(std::string complaint, double seconds) : complaint_(std::move(complaint)), seconds_(seconds) {}
  std::string check(bool spoil) override { return spoil ? "spoiled" : complaint_; }
  double time(int calls) override { return seconds_ * calls; }

 private:
  std::string complaint_;
  double seconds_;
};

Row row(std::string const& complaint, double seconds, bool back_to_back) {
  Row result;
  result.family = "reductions";
  result.algorithm = "max";
  result.backend = "serial";
  result.precision = "f64";
  result.size = std::to_string(8);
  result.bytes = 64;
  result.back_to_back = back_to_back;
  result.prepare = [=] { return std::make_unique<FakeWork>(complaint, seconds); };
  return result;
}

TEST(Row, IsNamedAfterTheScheme) {
  Row named = row("", 1, false);
  EXPECT_EQ(named.name(), "reductions/max/serial/f64/8");
  named.peer = "kokkos";
  EXPECT_EQ(named.name(), "reductions/max/serial/f64/8/peer:kokkos");
}

TEST(Prepare, LetsARightAnswerBeTimed) {
  auto const prepared = prepare(row("", 1.0, false), false);
  EXPECT_TRUE(prepared.failure.empty());
  EXPECT_NE(prepared.work, nullptr);
}

TEST(Prepare, LeavesNothingToTimeAfterAWrongAnswer) {
  auto const prepared = prepare(row("the maximum is 1, expected 2", 1.0, false), false);
  EXPECT_EQ(prepared.failure, "wrong answer: the maximum is 1, expected 2");
  EXPECT_EQ(prepared.work, nullptr);
  EXPECT_EQ(prepare(row("", 1.0, false), true).failure, "wrong answer: spoiled");
}

TEST(Prepare, TurnsAnExceptionIntoAFailure) {
  Row throwing = row("", 1.0, false);
  throwing.prepare = []() -> std::unique_ptr<karman::perf::Work> { throw std::runtime_error("out of memory"); };
  EXPECT_EQ(prepare(throwing, false).failure, "error: out of memory");
}

TEST(Prepare, BatchesShortOperationsThatNeedNoFence) {
  EXPECT_EQ(prepare(row("", 1e-5, true), false).batch, 100);
  EXPECT_EQ(prepare(row("", 1e-9, true), false).batch, 1000);
  EXPECT_EQ(prepare(row("", 0.1, true), false).batch, 1);
  EXPECT_EQ(prepare(row("", 1e-5, false), false).batch, 1);
}

TEST(RelativeSpread, IsTheMiddleHalfOverTheMedian) {
  using karman::perf::relative_spread;
  EXPECT_EQ(relative_spread({}), 0);
  EXPECT_EQ(relative_spread({3}), 0);
  EXPECT_DOUBLE_EQ(relative_spread({1, 3}), 0.5);
  // As Python's statistics.quantiles(..., method="inclusive"): 3 and 7.75 around 5.
  EXPECT_DOUBLE_EQ(relative_spread({100, 1, 4, 3, 7, 3, 6, 10}), 4.75 / 5);
}

TEST(Yardstick, IsBytesOverTheBestTime) {
  EXPECT_NEAR(karman::perf::measure_yardstick(row("", 0.5, false)), 128, 1e-9);
  EXPECT_THROW(karman::perf::measure_yardstick(row("wrong", 0.5, false)), std::runtime_error);
}

TEST(Peak, IsFlopsOverTheBestTime) {
  Row computing = row("", 0.5, false);
  computing.flops = 1e9;
  EXPECT_NEAR(karman::perf::measure_peak(computing), 2e9, 1e-3);
  EXPECT_THROW(karman::perf::measure_peak(row("wrong", 0.5, false)), std::runtime_error);
}

// The figures of docs/performance.md.
TEST(Traffic, MatchesTheDocumentedBytesPerUnit) {
  namespace traffic = karman::perf::traffic;
  EXPECT_DOUBLE_EQ(traffic::copy(1, 8), 16);
  EXPECT_DOUBLE_EQ(traffic::triad(1, 8), 24);
  EXPECT_DOUBLE_EQ(traffic::reduction(10, 4), 40);
  EXPECT_DOUBLE_EQ(traffic::reduction(10, 8, 3), 240);
  EXPECT_DOUBLE_EQ(traffic::split_colors(1, 4, traffic::packed_coefficients), 18);
  EXPECT_DOUBLE_EQ(traffic::split_colors(1, 8, traffic::packed_coefficients), 34);
  EXPECT_DOUBLE_EQ(traffic::split_colors(1, 4, traffic::coefficient_arrays(4)), 40);
  EXPECT_DOUBLE_EQ(traffic::split_colors(1, 8, traffic::coefficient_arrays(8)), 80);
  EXPECT_DOUBLE_EQ(traffic::interleaved_colors(1, 4), 24);
}

/// Keeps the repetitions.
class Repetitions : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(Context const&) override { return true; }
  void ReportRuns(std::vector<Run> const& runs) override {
    for (Run const& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      std::string const* const failure = karman::perf::failure_of(run);
      ++(failure != nullptr ? left_out : made);
      if (failure != nullptr) {
        EXPECT_EQ(*failure, karman::perf::repetition_left_out);
      }
    }
  }
  int made = 0, left_out = 0;
};

/// Repetitions of a row whose preparation lasts longer than its share of the time.
Repetitions repetitions_of_long_row(bool share_of_row) {
  Row slow = row("", 1.0, false);
  slow.prepare = [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    return std::make_unique<FakeWork>("", 1.0);
  };
  karman::perf::Session session({.bandwidth = {{"serial", 1.0}}, .peak = {}}, false, 0.5, share_of_row);
  session.add(slow);
  char program[] = "test", repetitions[] = "--benchmark_repetitions=11";
  char* flags[] = {program, repetitions, nullptr};
  int count = 2;
  benchmark::Initialize(&count, flags);
  Repetitions reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  session.finish();
  EXPECT_EQ(session.failures(), 0);
  return reporter;
}

TEST(Session, LeavesOutRepetitionsOnceARowHasHadItsShare) {
  Repetitions const limited = repetitions_of_long_row(true), unlimited = repetitions_of_long_row(false);
  EXPECT_EQ(limited.made, karman::perf::fewest_repetitions);
  EXPECT_EQ(limited.left_out, 11 - karman::perf::fewest_repetitions);
  EXPECT_EQ(unlimited.made, 11);
  EXPECT_EQ(unlimited.left_out, 0);
}

TEST(ChildProgram, AnswersLineByLineAndEndsWithItsInput) {
  ChildProgram program({"cat"});
  for (int n = 0; n < 3; ++n) {
    program.ask();
    EXPECT_EQ(program.answer(), "");
  }
}

TEST(ChildProgram, GetsNoVariableThatIsLeftOut) {
  ::setenv("KARMAN_PERF_KEPT", "kept", 1);
  ::setenv("KARMAN_PERF_LEFT_OUT", "here", 1);
  ChildProgram program({"sh", "-c", "echo $KARMAN_PERF_KEPT $KARMAN_PERF_LEFT_OUT; cat"}, {"KARMAN_PERF_LEFT_OUT"});
  EXPECT_EQ(program.answer(), "kept");
}

/// Also one that ignores the request to end.
TEST(ChildProgram, WithoutAnAnswerIsEndedAndNamed) {
  for (char const* script : {"sleep 1000", "trap '' TERM; echo; while true; do sleep 1; done"}) {
    ChildProgram program({"sh", "-c", script});
    if (script[0] == 't') {
      EXPECT_EQ(program.answer(), "");
    }
    try {
      program.answer(1);
      ADD_FAILURE() << "an answer of " << script;
    } catch (std::runtime_error const& error) {
      EXPECT_STREQ(error.what(), "sh gave no answer for 1 s and was ended");
    }
  }
}

TEST(ProgramWork, RefusesOtherAnswersThanItsOwn) {
  auto const first = program_work("a peer", {{"sh", "-c", "echo hello; cat"}}, 1e-8);
  EXPECT_EQ(first->check(false), "unexpected answer of a peer: 'hello'");
  auto const later = program_work("a peer", {{"sh", "-c", "echo ready 1 2 1e-9; echo 0.5; echo soon; cat"}}, 1e-8);
  EXPECT_EQ(later->check(false), "");
  EXPECT_EQ(later->time(1), 0.5);
  try {
    later->time(1);
    ADD_FAILURE() << "a time of 'soon'";
  } catch (std::runtime_error const& error) {
    EXPECT_STREQ(error.what(), "answer of a peer soon: expected a number");
  }
}

TEST(ProgramArguments, AreFiniteNumbersAsAWhole) {
  EXPECT_EQ(number_of<int>("CELLS", "64"), 64);
  EXPECT_EQ(number_of<double>("HEIGHT", "1e-2"), 0.01);
  for (char const* wrong : {"", "64x", "6.4", " 64", "1e9", "99999999999"})
    EXPECT_THROW(number_of<int>("CELLS", wrong), std::runtime_error) << wrong;
  for (char const* wrong : {"", "0.1x", "nan", "inf", "1e999"})
    EXPECT_THROW(number_of<double>("HEIGHT", wrong), std::runtime_error) << wrong;
}

}  // namespace measurement_test
