//===- checked/source.h - names, read from the source text ----------------===//
//
// Privileges and argument names are not part of the running program. When a check
// has failed, this file looks them up where a person would: in the source line and
// in the parameter list of the function around it. It is a reader of text, not a
// parser, and every answer may be "unknown": the messages stay right without it.
// Nothing here runs before a check has something to report.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_CHECKED_SOURCE_H
#define SEPTRAN_CHECKED_SOURCE_H

#include <septran/checked/site.h>

#include <cctype>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace septran::checked::detail {

inline bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The lines of a file; none if it cannot be read. Kept, as reports come in series.
inline const std::vector<std::string> &lines_of(const std::string &file) {
  static thread_local std::map<std::string, std::vector<std::string>> files;
  auto [entry, missing] = files.try_emplace(file);
  if (missing) {
    if (std::FILE *in = std::fopen(file.c_str(), "r")) {
      bool begins = true;
      for (int c = std::getc(in); c != EOF; c = std::getc(in)) {
        if (begins)
          entry->second.emplace_back();
        begins = c == '\n';
        if (!begins)
          entry->second.back() += char(c);
      }
      std::fclose(in);
    }
  }
  return entry->second;
}

/// The source line of `where`; empty if unknown.
inline std::string line_at(const site &where) {
  const auto &lines = lines_of(where.file);
  const bool known = where.line >= 1 && std::size_t(where.line) <= lines.size();
  return known ? lines[std::size_t(where.line) - 1] : "";
}

/// The name that ends just before position `end`; empty if none does.
inline std::string name_before(const std::string &text, std::size_t end) {
  while (end > 0 && text[end - 1] == ' ')
    --end;
  std::size_t begin = end;
  while (begin > 0 && is_name_character(text[begin - 1]))
    --begin;
  return text.substr(begin, end - begin);
}

/// The name in front of the parentheses around `where`: gcc gives the column of the opening one,
/// clang that of the first index.
inline std::string callee_at(const std::string &line, int column) {
  if (column < 1 || std::size_t(column) > line.size())
    return "";
  std::size_t at = std::size_t(column) - 1;
  if (line[at] == '(' && !name_before(line, at).empty())
    return name_before(line, at);
  for (int depth = 0; at > 0;) {
    --at;
    if (line[at] == ')')
      ++depth;
    else if (line[at] == '(' && depth-- == 0)
      return name_before(line, at);
  }
  return "";
}

/// The tensor that is indexed at `where`: `C` of `C(i, j)`, also of `subtensor(C, i, all)`.
inline std::string tensor_at(const site &where) {
  const std::string line = line_at(where);
  const std::string name = callee_at(line, where.column);
  const std::string prefix = "subtensor(";
  const std::size_t at = line.find(prefix);
  if ((!name.empty() && name != "subtensor") || at == std::string::npos)
    return name;
  const std::size_t end = line.find(',', at);
  return end == std::string::npos ? "" : name_before(line, end);
}

/// The variable that a declaration at `where` makes a local: `acc` of `local<float, 2> acc(...)`.
inline std::string local_at(const site &where) {
  const std::string line = line_at(where);
  std::size_t at = line.find("local<");
  if (at == std::string::npos)
    return "";
  int depth = 0;
  for (at += 5; at < line.size(); ++at) {
    depth += line[at] == '<' ? 1 : line[at] == '>' ? -1 : 0;
    if (depth == 0)
      break;
  }
  const std::size_t end = line.find_first_of("({;", at);
  return end == std::string::npos ? "" : name_before(line, end);
}

/// The function of `where` without template arguments: `gemm` of `gemm<float>`.
inline std::string function_at(const site &where) {
  const std::string name = where.function;
  return name.substr(0, name.find('<'));
}

/// The text of the parameter `name` of the function around `where`, attributes included; empty
/// if it is not found.
inline std::string parameter_at(const site &where, const std::string &name) {
  const std::string function = function_at(where);
  const auto &lines = lines_of(where.file);
  if (function.empty() || name.empty() || std::size_t(where.line) > lines.size())
    return "";

  // The definition is the nearest mention of `function(` above the site.
  std::string text;
  bool found = false;
  for (int n = where.line; n >= 1 && !found; --n) {
    text = lines[std::size_t(n) - 1] + "\n" + text;
    const std::size_t at = text.find(function + "(");
    found = at != std::string::npos && (at == 0 || !is_name_character(text[at - 1]));
    if (found)
      text.erase(0, at + function.size() + 1);
  }
  if (!found)
    return "";

  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool closes = c == ')' || c == ']' || c == '}' || c == '>';
    if (depth == 0 && (c == ',' || c == ')')) {
      if (name_before(text, at) == name)
        return text.substr(begin, at - begin);
      begin = at + 1;
      if (c == ')')
        break;
    } else if (closes) {
      --depth;
    } else if (c == '(' || c == '[' || c == '{' || c == '<') {
      ++depth;
    }
  }
  return "";
}

enum class answer { no, yes, unknown };

/// Is the tensor that is indexed at `where` a reduced argument of its function? Unknown without
/// the file. Kept, as a reduction asks for every element.
inline answer says_reduce(const site &where) {
  static thread_local std::map<std::tuple<const char *, int, int>, answer> known;
  auto [entry, missing] = known.try_emplace({where.file, where.line, where.column});
  if (missing) {
    const std::string parameter = parameter_at(where, tensor_at(where));
    entry->second = line_at(where).empty()                                   ? answer::unknown
                    : parameter.find("septran::reduce") != std::string::npos ? answer::yes
                                                                             : answer::no;
  }
  return entry->second;
}

} // namespace septran::checked::detail

#endif
