// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "import_project.hpp"

#include "case_draft.hpp"
#include "qes_project.hpp"
#include "quic_project.hpp"
#include "wind/case/wind_case.hpp"
#include <karman/io/config.hpp>

#include <algorithm>
#include <cstdio>
#include <system_error>

namespace karman::wind {
namespace {

constexpr char const* quic_file = "QU_simparams.inp";

CaseDraft read_project(std::filesystem::path const& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return read_quic_project(path / quic_file);
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (ending == ".inp") return read_quic_project(path.parent_path() / quic_file);
  QesDocument const document(path);
  return read_qes_project(document);
}

}  // namespace

ImportedCase import_project(std::filesystem::path const& path) {
  CaseDraft const draft = read_project(path);
  ImportedCase result{readable_text(draft.json()), draft.remarks};
  // Ranges of values that the readers leave to the schema.
  Case::parse(result.text, path.string() + " as a case", schema());
  return result;
}

int print_import(std::filesystem::path const& path) {
  ImportedCase const imported = import_project(path);
  std::fwrite(imported.text.data(), 1, imported.text.size(), stdout);
  for (ImportRemark const& remark : imported.remarks) std::fprintf(stderr, "%s\n", remark.line().c_str());
  return 0;
}

}  // namespace karman::wind
