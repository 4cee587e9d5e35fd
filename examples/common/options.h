//===- options.h - command lines of the example drivers ---------*- C++ -*-===//
//
// Options are read where they are declared, and `finish` answers --help and
// refuses what nobody declared:
//
//   example::options options(argc, argv, "matmul", "C = A * B");
//   const auto [m, n, k] = options.shape<3>("MxNxK", {512, 512, 512});
//   if (auto code = options.finish())
//     return *code;
//
// Values may be written `--name value` or `--name=value`. Usage errors give exit
// code 2.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace example {

/// The parts one after the other. (A chain of `"text" + std::string()` makes g++ 12 warn of an
/// overlap that cannot be, GCC bug 105651.)
template <class... Parts> std::string concat(const Parts &...parts) {
  std::string text;
  ((text += parts), ...);
  return text;
}

class options {
public:
  options(int argc, char **argv, std::string name, std::string summary)
      : name_(std::move(name)), summary_(std::move(summary)) {
    for (int i = 1; i < argc; ++i)
      arguments_.emplace_back(argv[i]);
    taken_.resize(arguments_.size());
  }

  const std::string &name() const { return name_; }

  bool flag(const std::string &option, const std::string &help) {
    document(concat("--", option), help);
    bool found = false;
    for (std::size_t i = 0; i < arguments_.size(); ++i)
      if (!taken_[i] && arguments_[i] == concat("--", option))
        found = taken_[i] = true;
    return found;
  }

  std::string text(const std::string &option, const std::string &value, const std::string &help) {
    document(concat("--", option, " VALUE"), help);
    return find(option).value_or(value);
  }

  long integer(const std::string &option, long value, const std::string &help, long least = 0) {
    document(concat("--", option, " N"), concat(help, " (default ", std::to_string(value), ")"));
    const auto found = find(option);
    if (!found)
      return value;
    const auto number = parse(*found);
    if (!number || *number < least) {
      fail(concat("--", option, " expects a whole number of at least ", std::to_string(least),
                  ", not '", *found, "'"));
      return value;
    }
    return *number;
  }

  std::string choice(const std::string &option, const std::vector<std::string> &values,
                     const std::string &help) {
    std::string list;
    for (const auto &value : values)
      list += concat(list.empty() ? "" : ", ", value);
    document(concat("--", option, " VALUE"),
             concat(help, ": ", list, " (default ", values.front(), ")"));
    const auto found = find(option);
    if (!found)
      return values.front();
    for (const auto &value : values)
      if (value == *found)
        return value;
    fail(concat("--", option, " expects one of ", list, ", not '", *found, "'"));
    return values.front();
  }

  /// --shape 3x5x7, one extent per letter of `letters` ("MxNxK").
  template <std::size_t Rank>
  std::array<int, Rank> shape(const std::string &letters, std::array<int, Rank> value) {
    document(concat("--shape ", letters), concat("extents (default ", join(value), ")"));
    if (const auto found = find("shape")) {
      std::string_view rest = *found;
      for (std::size_t d = 0; d < Rank; ++d) {
        const auto end = d + 1 < Rank ? rest.find('x') : rest.size();
        const auto number =
            end <= rest.size() ? parse(std::string(rest.substr(0, end))) : std::nullopt;
        if (!number || *number < 0 || *number > std::numeric_limits<int>::max()) {
          fail(concat("--shape expects ", letters, ", not '", *found, "'"));
          break;
        }
        value[d] = static_cast<int>(*number);
        rest.remove_prefix(d + 1 < Rank ? end + 1 : end);
      }
    }
    shape_ = join(value);
    return value;
  }

  /// The extents as given, for the report.
  const std::string &shape_text() const { return shape_; }

  /// Reports a mistake in the command line.
  void fail(const std::string &message) {
    std::fprintf(stderr, "%s: %s\n", name_.c_str(), message.c_str());
    failed_ = true;
  }

  /// The program's exit code if it should end here: --help, or a mistake in the command line.
  std::optional<int> finish() {
    if (flag("help", "print this text")) {
      std::printf("usage: %s [options]\n%s\n\noptions:\n", name_.c_str(), summary_.c_str());
      for (const auto &[option, help] : documented_)
        std::printf("  %-22s %s\n", option.c_str(), help.c_str());
      return EXIT_SUCCESS;
    }
    for (std::size_t i = 0; i < arguments_.size(); ++i)
      if (!taken_[i])
        fail(concat("unknown argument '", arguments_[i], "'; --help lists the options"));
    if (!failed_)
      return std::nullopt;
    return 2;
  }

private:
  std::optional<std::string> find(const std::string &option) {
    std::optional<std::string> found;
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      if (taken_[i])
        continue;
      if (arguments_[i].starts_with(concat("--", option, "="))) {
        taken_[i] = true;
        found = arguments_[i].substr(option.size() + 3);
      } else if (arguments_[i] == concat("--", option)) {
        taken_[i] = true;
        if (i + 1 == arguments_.size()) {
          fail(concat("--", option, " expects a value"));
          return std::nullopt;
        }
        taken_[i + 1] = true;
        found = arguments_[i + 1];
      }
    }
    return found;
  }

  static std::optional<long> parse(const std::string &text) {
    char *end = nullptr;
    const long number = std::strtol(text.c_str(), &end, 10);
    if (text.empty() || *end != '\0')
      return std::nullopt;
    return number;
  }

  template <std::size_t Rank> static std::string join(const std::array<int, Rank> &extents) {
    std::string text;
    for (int extent : extents)
      text += concat(text.empty() ? "" : "x", std::to_string(extent));
    return text;
  }

  void document(std::string option, std::string help) {
    documented_.emplace_back(std::move(option), std::move(help));
  }

  std::string name_, summary_, shape_;
  std::vector<std::string> arguments_;
  std::vector<bool> taken_;
  std::vector<std::pair<std::string, std::string>> documented_;
  bool failed_ = false;
};

} // namespace example
