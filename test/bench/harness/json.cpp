#include "harness/json.h"

#include <cmath>
#include <cstdio>

namespace septran::bench {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out += '"';
}

} // namespace

json_writer &json_writer::key(std::string_view name) {
  separate();
  text_ += quoted(name);
  text_ += ": ";
  return *this;
}

json_writer &json_writer::value(std::string_view text) { return write(quoted(text)); }
json_writer &json_writer::value(bool truth) { return write(truth ? "true" : "false"); }

json_writer &json_writer::value(double number) {
  if (!std::isfinite(number))
    return write("null");
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.9g", number);
  return write(digits);
}

json_writer &json_writer::open(char bracket) {
  separate();
  text_ += bracket;
  return *this;
}

json_writer &json_writer::close(char bracket) {
  text_ += bracket;
  return *this;
}

json_writer &json_writer::write(std::string_view literal) {
  separate();
  text_ += literal;
  return *this;
}

/// A value follows an opening bracket, its key, or a comma.
void json_writer::separate() {
  if (!text_.empty() && text_.back() != '{' && text_.back() != '[' && !text_.ends_with(": "))
    text_ += ", ";
}

} // namespace septran::bench
