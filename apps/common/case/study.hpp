// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Parameter studies: one case whose member `study` lists values of other keys.
#pragma once

#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace karman::app {

/// Member of a study: a whole case of its own.
struct StudyMember {
  std::string name;                 ///< of its folder: "member-003"
  Case input;                       ///< without `study`; runs alone. Names of files are absolute
  std::vector<std::string> values;  ///< of the varied keys as JSON, in the order of Study::paths(); texts as they are
};

/// File of the case in the folder of a member.
inline constexpr char const* member_case_file = "case.json";

/// Words for a study in its case, on the terminal and in its folder.
struct StudyNames {
  std::string key = "study";                    ///< of the member of the case that varies the others
  std::string member = "member";                ///< "members", and folders "member-003"
  std::string wrong = "not_right";              ///< outcome of a member that ends with exit code 3
  std::string table = "study.csv";              ///< file
  std::string checkpoint = "study.checkpoint";  ///< file of finished members
};

/// Name of the folder of a member, as StudyNames has its word: "member-003".
std::string member_name(std::string const& member, std::size_t number);

/// Numbers that one key of a case takes in turn.
struct StudyAxis {
  std::string path;   ///< "flow.mach"
  std::string label;  ///< "mach"
  std::string place;  ///< JSON pointer to the list or range, for errors
  std::vector<double> values;
};

/// The members of `/study`, an array of objects. Keys of an object are paths of keys in the case, "terms.viscosity";
/// their values are lists. The lists of one object have equal lengths and are taken together. Objects multiply; the
/// last one varies fastest.
class Study {
 public:
  /// Makes and checks the case of every member.
  /// \param input case with `/study`, which its schema has checked as an array of objects of lists
  /// \param folder output folder of the study
  /// \param schema that of the case
  /// \param files pointers to names of files; relative ones start at the case file
  /// \throws CaseError with the place of the wrong paths and values in `/study`
  Study(Case const& input, std::filesystem::path const& folder, std::string_view schema,
        std::span<char const* const> files);
  /// The same for numbers of an application; the last axis varies fastest. `names.key` is no member of the cases.
  Study(Case const& input, std::span<StudyAxis const> axes, StudyNames names, std::filesystem::path const& folder,
        std::string_view schema, std::span<char const* const> files);

  StudyNames const& names() const { return names_; }
  /// Varied keys.
  std::vector<std::string> const& paths() const { return paths_; }
  std::vector<StudyMember> const& members() const { return members_; }
  std::size_t size() const { return members_.size(); }
  /// "terms.viscosity 0.001, initial.seed 2".
  std::string words(std::size_t member) const;

  /// Does `work` for a member. A CaseError about its case becomes one about the case of the study.
  void check(std::size_t member, std::function<void(Case const&)> const& work) const;
  /// The same for all members; throws the errors of all together.
  void check_all(std::function<void(std::size_t)> const& work) const;

 private:
  /// Objects of `/study`, with the numbers of their lists in paths_.
  struct Axis {
    std::vector<std::size_t> lists;
    std::size_t length = 0;
  };

  /// A problem with more members than a study may have.
  std::optional<CaseProblem> excess() const;
  void read_axes(nlohmann::json const& study, std::vector<CaseProblem>& problems);
  void make_members(nlohmann::json const& study, std::filesystem::path const& folder, std::string_view schema,
                    std::span<char const* const> files);
  /// Sets a value of a member. False where nothing can be at its path.
  static bool set_value(nlohmann::json& whole, std::vector<std::string> const& keys, nlohmann::json const& value);
  /// Place in the case of the index of a member along each axis.
  std::vector<std::size_t> indices(std::size_t member) const;
  /// A problem of the case of a member, as one of the case of the study.
  CaseProblem explained(std::size_t member, CaseProblem const& problem) const;

  Case input_;
  StudyNames names_;
  std::vector<std::string> paths_;     ///< "terms.viscosity"
  std::vector<std::string> labels_;    ///< of the paths, in words(); the paths where the case lists them
  std::vector<std::string> pointers_;  ///< "/terms/viscosity"
  std::vector<std::string> places_;    ///< "/study/0/terms.viscosity"
  std::vector<std::size_t> axis_of_;   ///< of each path
  std::vector<Axis> axes_;
  std::vector<StudyMember> members_;
};

}  // namespace karman::app
