// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "info.hpp"

#include "common/case/texts.hpp"
#include "common/run/kokkos_runtime.hpp"
#include "common/run/machine_load.hpp"
#include "common/run/processes.hpp"
#include "host_threads.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/io/hdf5_file.hpp>
#include <karman/io/map_system.hpp>
#include <karman/io/progress.hpp>
#include <karman/io/vector_layer.hpp>

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace karman::app {
namespace {

constexpr std::array environment{"OMP_NUM_THREADS", "OMP_PROC_BIND",  "OMP_PLACES",
                                 "OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "CUDA_VISIBLE_DEVICES"};

/// Collects the facts, and the verdict of each backend's self-check. The checks come last, since a fault ends all work
/// on a device.
nlohmann::ordered_json gather(double load, Processes const& processes, bool& device_lost) {
  BuildInfo const build = build_info();
  nlohmann::ordered_json info;
  info["versions"] = {{"karman", build.karman_version},
                      {"commit", build.commit},
                      {"kokkos", build.kokkos_version},
                      {"hdf5", hdf5_library_version()},
                      {"compiler", build.compiler}};
  if (!build.cuda_version.empty()) info["versions"]["cuda"] = build.cuda_version;
  info["libraries"] = {{"gdal", built_with_gdal()}, {"proj", built_with_proj()}, {"mpi", message_library()}};
  info["backends"] = nlohmann::ordered_json::array();
  for (Backend backend : enabled_backends()) {
    BackendInfo const about = describe(backend);
    info["backends"].push_back({{"name", name(backend)},
                                {"device", about.device},
                                {"concurrency", about.concurrency},
                                {"memory_bytes", about.memory_bytes},
                                {"free_memory_bytes", about.free_memory_bytes}});
  }
  for (auto& backend : info["backends"]) {
    BackendCheck const verdict = check(*parse_backend(backend.at("name").get<std::string>()));
    backend["check"] = {{"sound", verdict.problem.empty()}, {"problem", verdict.problem}, {"seconds", verdict.seconds}};
    device_lost = device_lost || verdict.device_lost;
    if (device_lost) break;
  }
  if (!message_library().empty()) {
    bool const on_devices = !enabled_backends().empty() && enabled_backends().front() == Backend::cuda && !device_lost;
    info["processes"] = {{"number", processes.size()},
                         {"transport", processes.size() == 1 ? "none" : transport_name(processes, on_devices)}};
  }
  info["host"] = {{"cores", online_cores()}, {"load_average", load}, {"wait_policy", wait_policy_text()}};
  info["environment"] = nlohmann::ordered_json::object();
  for (char const* variable : environment) {
    char const* const value = std::getenv(variable);
    info["environment"][variable] = value ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
  }
  return info;
}

std::string as_text(nlohmann::ordered_json const& info) {
  std::ostringstream text;
  for (auto const& [key, value] : info.at("versions").items()) {
    text << key << std::string(key.size() < 10 ? 10 - key.size() : 1, ' ') << value.get<std::string>() << '\n';
  }
  auto const& libraries = info.at("libraries");
  for (char const* library : {"gdal", "proj"})
    text << library << "      " << (libraries.at(library).get<bool>() ? "in this build" : "not in this build") << '\n';
  std::string const messages = libraries.at("mpi").get<std::string>();
  text << "mpi       " << (messages.empty() ? "not in this build" : messages);
  if (info.contains("processes")) {
    int const number = info.at("processes").at("number").get<int>();
    text << ", " << number << (number == 1 ? " process" : " processes");
    if (number > 1) text << ", transport " << info.at("processes").at("transport").get<std::string>();
  }
  text << '\n';
  text << "\nbackends, the default first:\n";
  for (auto const& backend : info.at("backends")) {
    text << "  " << backend.at("name").get<std::string>() << ": " << backend.at("device").get<std::string>() << ", "
         << backend.at("concurrency").get<int>() << " threads at once, "
         << bytes_text(backend.at("memory_bytes").get<double>()) << " memory, "
         << bytes_text(backend.at("free_memory_bytes").get<double>()) << " free\n";
    if (!backend.contains("check")) {
      text << "    self-check: not run (device lost earlier)\n";
    } else if (auto const& verdict = backend.at("check"); verdict.at("sound").get<bool>()) {
      text << "    self-check: all kernels correct, " << measured_time_text(verdict.at("seconds").get<double>())
           << '\n';
    } else {
      text << "    self-check: WRONG: " << verdict.at("problem").get<std::string>() << '\n';
    }
  }
  auto const& host = info.at("host");
  int const cores = host.at("cores").get<int>();
  text << "\nhost:\n  " << cores << (cores == 1 ? " core" : " cores") << ", load average "
       << formatted("%.1f", host.at("load_average").get<double>())
       << "\n  waiting threads: " << host.at("wait_policy").get<std::string>() << '\n';
  text << "\nenvironment:\n";
  for (auto const& [key, value] : info.at("environment").items()) {
    text << "  " << key;
    if (value.is_null()) {
      text << " is not set\n";
    } else {
      text << '=' << value.get<std::string>() << '\n';
    }
  }
  return text.str();
}

}  // namespace

std::string info_report(bool json, Processes const& processes) {
  double const load = load_average();
  KokkosRuntime kokkos({}, LoadReport::none, {processes.local_rank(), processes.local_size()});
  bool device_lost = false;
  nlohmann::ordered_json const info = gather(load, processes, device_lost);
  std::string const report =
      json ? info.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n' : as_text(info);
  if (device_lost) {
    std::fputs(report.c_str(), stdout);
    kokkos.abandon();
    throw LostDevice("a kernel of the self-check faulted; the device is lost");
  }
  return report;
}

}  // namespace karman::app
