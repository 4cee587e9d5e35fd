//===- options.cpp - SEPTRAN_EMULATOR -------------------------------------===//

#include <septran/cuda/error.h>
#include <septran/emulator/control.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace septran::emulator {

[[noreturn]] static void refuse(std::string_view word) {
  throw cuda::error("SEPTRAN_EMULATOR: '" + std::string(word) +
                    "' is none of eager, lazy, random:SEED, race=on, race=off, undefined=on, "
                    "undefined=off, banks, capability=MN");
}

template <class T> static T number(std::string_view digits, std::string_view word) {
  T value{};
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (code != std::errc() || end != digits.data() + digits.size())
    refuse(word);
  return value;
}

static void read_word(options &chosen, std::string_view word) {
  if (word == "eager")
    chosen.schedule = schedule::eager;
  else if (word == "lazy")
    chosen.schedule = schedule::lazy;
  else if (word.starts_with("random:")) {
    chosen.schedule = schedule::random;
    chosen.seed = number<std::uint64_t>(word.substr(7), word);
  } else if (word == "race=on" || word == "race=off")
    chosen.races = word == "race=on";
  else if (word == "undefined=on" || word == "undefined=off")
    chosen.undefined = word == "undefined=on";
  else if (word == "banks")
    chosen.banks = true;
  else if (word.starts_with("capability="))
    chosen.capability = number<int>(word.substr(11), word);
  else
    refuse(word);
}

options parse_options(const std::string &text) {
  options chosen;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    read_word(chosen, rest.substr(0, comma));
    if (comma == std::string_view::npos)
      break;
    rest.remove_prefix(comma + 1);
    if (rest.empty())
      refuse("");
  }
  return chosen;
}

static std::optional<options> &chosen_options() {
  static std::optional<options> chosen;
  return chosen;
}

options current_options() {
  std::optional<options> &chosen = chosen_options();
  if (!chosen) {
    const char *text = std::getenv("SEPTRAN_EMULATOR");
    chosen = parse_options(text != nullptr ? text : "");
  }
  return *chosen;
}

void set_options(const options &chosen) { chosen_options() = chosen; }

} // namespace septran::emulator
