//===- json.h - writes JSON --------------------------------------*- C++ -*-===//
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace septran::bench {

/// Builds one JSON text, in order: `key` before each member of an object; commas come by
/// themselves.
class json_writer {
public:
  json_writer &begin_object() { return open('{'); }
  json_writer &end_object() { return close('}'); }
  json_writer &begin_array() { return open('['); }
  json_writer &end_array() { return close(']'); }
  json_writer &key(std::string_view name);
  json_writer &value(std::string_view text);
  json_writer &value(const char *text) { return value(std::string_view(text)); }
  json_writer &value(bool truth);
  json_writer &value(double number); ///< null unless finite, which JSON cannot say otherwise
  json_writer &value(std::integral auto number) { return write(std::to_string(number)); }

  template <class T> json_writer &member(std::string_view name, const T &content) {
    return key(name).value(content);
  }

  const std::string &text() const { return text_; }

private:
  json_writer &open(char bracket);
  json_writer &close(char bracket);
  json_writer &write(std::string_view literal);
  void separate();

  std::string text_;
};

} // namespace septran::bench
