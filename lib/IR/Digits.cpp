//===- Digits.cpp - indices divided among threads and registers -----------===//
#include "IR/Digits.h"

#include <algorithm>
#include <charconv>

namespace septran::compiler {

std::int64_t threadsOf(const Digits &D) {
  std::int64_t Threads = 1;
  for (const Digit &Part : D)
    Threads *= Part.isThread() ? Part.Size : 1;
  return Threads;
}

std::int64_t registersOf(const Digits &D) {
  std::int64_t Registers = 1;
  for (const Digit &Part : D)
    Registers *= Part.isThread() ? 1 : Part.Size;
  return Registers;
}

Digits withoutRegisters(Digits D) {
  for (Digit &Part : D)
    Part.Register = 0;
  return D;
}

std::string toString(const Digits &D) {
  std::string Text;
  for (const Digit &Part : D) {
    Text += (Text.empty() ? "" : ", ") + std::to_string(Part.Size);
    if (Part.isThread())
      Text += "@" + std::to_string(Part.Stride);
    else if (Part.Register)
      Text += "@r" + std::to_string(Part.Register);
  }
  return Text;
}

std::int64_t elementsOf(const Digits &D) {
  std::int64_t Elements = 1;
  for (const Digit &Part : D)
    Elements *= Part.Size;
  return Elements;
}

std::optional<std::pair<Digits, Digits>> splitAt(const Digits &D, std::int64_t Elements) {
  std::pair<Digits, Digits> Result;
  std::int64_t Before = 1;
  for (const Digit &Part : D) {
    if (Before == Elements) {
      Result.second.push_back(Part);
      continue;
    }
    if (Part.Size == 0 || Before * Part.Size <= Elements) {
      Result.first.push_back(Part);
      Before *= Part.Size;
      continue;
    }
    const std::int64_t Inner = Elements / Before;
    if (Elements % Before != 0 || Part.Size % Inner != 0)
      return std::nullopt;
    Digit Low = Part, High = Part;
    Low.Size = Inner;
    High.Size = Part.Size / Inner;
    High.Stride *= Inner;
    High.Register *= Inner;
    Result.first.push_back(Low);
    Result.second.push_back(High);
    Before = Elements;
  }
  return Before == Elements ? std::optional(Result) : std::nullopt;
}

//===--- fragments ----------------------------------------------------------------===//

namespace {

/// Reads what stands at the start of Text.
class FragmentText {
  std::string_view Text;

  void skipSpace() {
    while (!Text.empty() && Text.front() == ' ')
      Text.remove_prefix(1);
  }

public:
  explicit FragmentText(std::string_view Text) : Text(Text) {}

  bool take(char C) {
    skipSpace();
    if (Text.empty() || Text.front() != C)
      return false;
    Text.remove_prefix(1);
    return true;
  }

  bool atEnd() {
    skipSpace();
    return Text.empty();
  }

  /// A number of at least 1.
  std::optional<std::int64_t> number() {
    skipSpace();
    std::int64_t N = 0;
    auto [End, Error] = std::from_chars(Text.data(), Text.data() + Text.size(), N);
    if (Error != std::errc() || N < 1 || N > 4096)
      return std::nullopt;
    Text.remove_prefix(std::size_t(End - Text.data()));
    return N;
  }

  std::optional<Digits> dimension() {
    Digits D;
    if (!take('['))
      return std::nullopt;
    if (take(']'))
      return D;
    do {
      std::optional<std::int64_t> Size = number();
      if (!Size)
        return std::nullopt;
      Digit Part{*Size, 0, 0};
      if (take('@')) {
        std::int64_t &Step = take('r') ? Part.Register : Part.Stride;
        std::optional<std::int64_t> N = number();
        if (!N)
          return std::nullopt;
        Step = *N;
      }
      D.push_back(Part);
    } while (take(','));
    return take(']') ? std::optional(D) : std::nullopt;
  }
};

} // namespace

std::optional<Fragment> parseFragment(std::string_view Text) {
  FragmentText Rest(Text);
  Fragment F;
  do {
    std::optional<Digits> D = Rest.dimension();
    if (!D)
      return std::nullopt;
    F.push_back(std::move(*D));
  } while (Rest.take('x'));
  return Rest.atEnd() ? std::optional(F) : std::nullopt;
}

std::string toString(const Fragment &F) {
  std::string Text;
  for (const Digits &D : F)
    Text += (Text.empty() ? "[" : " x [") + toString(D) + "]";
  return Text;
}

std::int64_t fragmentSize(const Fragment &F) {
  Digits Counting;
  for (const Digits &D : F)
    for (const Digit &Part : D)
      if (Part.Register)
        Counting.push_back(Part);
  std::sort(Counting.begin(), Counting.end(),
            [](const Digit &A, const Digit &B) { return A.Register < B.Register; });
  std::int64_t Size = 1;
  for (const Digit &Part : Counting) {
    if (Part.Register != Size)
      return 0;
    Size *= Part.Size;
  }
  return Size;
}

} // namespace septran::compiler
