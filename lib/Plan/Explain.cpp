//===- Explain.cpp - what the mapping made of the program -----------------===//
#include "Plan/Explain.h"

#include "Plan/BankConflicts.h"
#include "Plan/CopyList.h"
#include "Plan/Formula.h"
#include "Plan/MemoryUse.h"
#include "Plan/TextTable.h"

#include "IR/Rewrite.h"

namespace septran::compiler {

namespace {

/// `matmul.yaml:12`; the folder matters to nobody here.
std::string placeText(const Location &Loc) {
  if (!Loc.isValid())
    return "";
  const std::string &File = Loc.File.str();
  return File.substr(File.find_last_of('/') + 1) + ":" + std::to_string(Loc.Line);
}

/// `A of gemm_ksteps` for the reason `argument 'A' of gemm_ksteps`.
std::string shortReason(const std::string &Reason, const TensorRef &T) {
  constexpr std::string_view Prefix = "argument '";
  if (Reason.empty())
    return T->Name;
  size_t Quote = Reason.find('\'', Prefix.size());
  if (Reason.compare(0, Prefix.size(), Prefix) != 0 || Quote == std::string::npos)
    return Reason;
  return Reason.substr(Prefix.size(), Quote - Prefix.size()) + Reason.substr(Quote + 1);
}

std::string section(const std::string &Title, const TextTable &Table) {
  return Table.empty() ? "" : "\n" + Title + "\n" + Table.text();
}

//===--- instances --------------------------------------------------------===//

/// `i, j` for a spread group.
std::string groupText(const For &F) {
  std::string Text = F.V->Name;
  if (F.Group && F.Body.size() == 1)
    if (const auto *Inner = F.Body.front().getIf<For>(); Inner && Inner->Group == F.Group)
      Text += ", " + groupText(*Inner);
  return Text;
}

/// The outermost loops of spread groups, with the instance in whose body each stands.
struct SpreadLoop {
  const For *Loop;
  const InstanceInfo *In;
  Location Loc;
};

void collectSpread(const Block &B, const InstanceInfo *In, const For *Parent,
                   std::vector<SpreadLoop> &Result) {
  for (const Stmt &S : B) {
    const auto *F = S.getIf<For>();
    bool SameGroup = F && Parent && F->Group && F->Group == Parent->Group;
    if (F && !F->Spread.empty() && !SameGroup)
      Result.push_back({F, In, S.Loc});
    const auto *Sc = S.getIf<Scope>();
    for (const Block *Nested : nestedBlocks(S))
      collectSpread(*Nested, Sc ? Sc->Instance.get() : In, F, Result);
  }
}

std::string tunablesText(const InstanceInfo &I) {
  std::string Text;
  for (const Tunable &T : I.Task->Tunables) // in the order of the task's text
    if (auto It = I.Tunables.find(T.V->Name); It != I.Tunables.end()) {
      const Extent *Given = I.Settings ? I.Settings->Tunables.find(It->first) : nullptr;
      Text += (Text.empty() ? "" : " ") + It->first + "=" +
              (It->second >= 0 ? std::to_string(It->second)
               : Given         ? toString(*Given)
                               : "full");
    }
  return Text;
}

std::string instances(const Program &P, const std::vector<SpreadLoop> &Spread) {
  TextTable Table(2);
  for (const InstanceRef &I : P.Instances) {
    size_t Depth = 0;
    for (const InstanceInfo *C = I->Caller; C; C = C->Caller)
      ++Depth;
    std::vector<std::string> Settings;
    if (std::string Tunables = tunablesText(*I); !Tunables.empty())
      Settings.push_back(Tunables);
    std::set<std::string> Said;
    for (const SpreadLoop &L : Spread)
      if (L.In == I.get())
        if (std::string Text = groupText(*L.Loop) + " over " + L.Loop->Spread;
            Said.insert(Text).second)
          Settings.push_back(Text);
    if (!I->Binding.empty())
      Settings.push_back("bound to " + I->Binding);
    std::string Text;
    for (const std::string &S : Settings)
      Text += (Text.empty() ? "" : "; ") + S;
    Table.add({std::string(2 * Depth, ' ') + I->Name, I->Task->Name + " on " + I->Proc, Text,
               placeText(I->where())});
  }
  return section("instances", Table);
}

//===--- copies and rules -------------------------------------------------===//

std::string copies(const Program &P) {
  TextTable Table(3, {false, false, true});
  for (const CopyUse &C : copiesOf(P)) {
    const CopyStmt &S = *C.Copy;
    bool In = S.Dst.Base->Kind == TensorKind::Buffer;
    std::string What = shortReason(S.Reason, In ? S.Dst.Base : S.Src.Base);
    if (S.Prefetch)
      What += ", prefetch " + std::to_string(S.Prefetch);
    Table.add({What, S.Src.Base->Memory + " -> " + S.Dst.Base->Memory, C.Bytes.bytes(),
               C.Times.text(), placeText(C.Loc)});
  }
  if (Table.empty())
    return "\ncopies: none\n";
  return section("copies: what, between which memories, bytes each time, how often", Table);
}

std::string rules(const Program &P) {
  TextTable Table(1);
  for (const RewriteRecord &R : P.Log)
    Table.addOnce({R.Rule, R.Text, placeText(R.Loc)});
  return section("rules: what removed, moved or changed the others", Table);
}

//===--- buffers ----------------------------------------------------------===//

std::string shapeText(const BufferUse &B) {
  std::string Text;
  for (size_t D = 0; D < B.Extents.size(); ++D)
    Text += (D ? " x " : "") +
            (B.Bounds.empty() ? formulaText(B.Extents[D]) : std::to_string(B.Bounds[D]));
  return Text + (Text.empty() ? "" : " ") + std::string(shortName(B.T->Element));
}

std::string amountText(const MemoryUse &U, std::int64_t Amount) {
  return U.inRegisters() ? std::to_string(Amount) + (Amount == 1 ? " register" : " registers")
                         : bytesText(Amount);
}

std::string buffers(const MemoryUse &U) {
  TextTable Table(3, {false, true});
  bool Unknown = false;
  for (const BufferUse &B : U.Buffers) {
    Unknown |= !B.Amount;
    Table.addOnce({shortReason(B.Reason, B.T), B.Amount ? amountText(U, *B.Amount) : "at run time",
                   B.Layout ? toString(*B.Layout) : "", shapeText(B), placeText(B.Loc)});
  }
  const std::string &Owner = U.In->Owner.Value;
  std::string Title = "buffers in " + U.In->Name.Value;
  Title += U.Shared ? " shared by all of " + Owner + ": " : ": ";
  if (U.Needed)
    Title += "at most " + amountText(U, U.Needed) + " at once" + (Unknown ? ", and " : "");
  if (Unknown)
    Title += "size known at run time";
  if (std::optional<std::int64_t> Each = U.each()) {
    Title += ", of " + amountText(U, *Each) + (U.Shared ? " in each" : " per " + Owner);
    if (U.FileShare && Each == U.FileShare)
      Title += " of " + std::to_string(U.Threads);
    if (U.Shared && U.Owners)
      Title += " of " + std::to_string(*U.Owners);
  }
  return section(Title, Table);
}

//===--- loads of fragments ---------------------------------------------------===//

std::string loads(const Program &P) {
  TextTable Table(3, {false, false, true});
  for (const FragmentLoad &L : fragmentLoads(P))
    Table.addOnce({shortReason(L.Copy->Reason, L.Copy->Dst.Base),
                   L.By.empty() ? "element by element" : L.By,
                   std::to_string(L.Conflicts) +
                       (L.Conflicts == 1 ? " bank conflict" : " bank conflicts"),
                   placeText(L.Loc)});
  return section("loads of fragments: by what, and what one load costs in passes beyond the least",
                 Table);
}

//===--- meetings ---------------------------------------------------------===//

std::string meetings(const std::vector<SpreadLoop> &Spread) {
  TextTable Table(1);
  for (const SpreadLoop &L : Spread) {
    std::string Name =
        groupText(*L.Loop) + " over " + L.Loop->Spread + (L.In ? " in " + L.In->Name : "");
    if (L.Loop->Nowait)
      Table.addOnce({Name, "nothing: the end of the next loop serves both"});
    for (const std::string &Edge : L.Loop->Serves) {
      Table.addOnce({Name, Edge});
      Name.clear();
    }
  }
  return section("ends of spread loops, and what each waits for", Table);
}

/// The short forms of extents that occur in the text.
std::string legend(const Program &P, const std::string &Text) {
  for (const Parameter &Param : P.Params)
    if (Param.isTensor() && Text.find(Param.Tensor->Name + "[") != std::string::npos)
      return "\n" + Param.Tensor->Name + "[0] stands for " + Param.Tensor->Name +
             ".extent(0), and so on; ceil(x/n) is rounded up.\n";
  return "";
}

} // namespace

std::string explain(const Program &P) {
  std::vector<SpreadLoop> Spread;
  collectSpread(P.Body, nullptr, nullptr, Spread);
  std::string Text = P.Entry->Name + " on " + P.Target->Name.Value;
  if (P.Map && !P.Map->Loc.File.empty())
    Text += ", mapped by " + P.Map->Loc.File.str();
  Text += "\n" + instances(P, Spread) + copies(P) + rules(P);
  for (const MemoryUse &U : memoryUse(P))
    Text += buffers(U);
  Text += loads(P);
  Text += meetings(Spread);
  return Text + legend(P, Text);
}

} // namespace septran::compiler
