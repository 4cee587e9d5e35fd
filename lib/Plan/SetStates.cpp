//===- SetStates.cpp - sticky states where they are needed ----------------===//
//
// A state that a primitive requires is set before it unless it is known to be set on every way
// there. Loops in which nothing makes it stale have it set before they start. Each processor has
// states of its own, and what functions of the user's leave behind nobody knows.
//
//===----------------------------------------------------------------------===//
#include "IR/Rewrite.h"
#include "Plan/Kernels.h"
#include "Plan/Scratchpads.h"

#include <algorithm>
#include <set>

namespace septran::compiler {

namespace {

using States = std::set<std::string>;

class Setter {
  const Machine &Target;

  States required(const Stmt &S) const {
    States Result;
    if (const auto *C = S.getIf<PrimitiveCall>())
      for (const LocatedName &Name : Target.findPrimitive(C->Primitive)->Requires)
        Result.insert(Name.Value);
    return Result;
  }

  void makeStale(const std::string &By, States &Set) const {
    for (const State &S : Target.States)
      for (const LocatedName &Name : S.StaleAfter)
        if (Name.Value == By)
          Set.erase(S.Name.Value);
  }

  /// Names of what acts in a block: copies, primitives, and the states that its primitives need.
  void actors(Stmts B, States &Found, States &Needed) const {
    walkStmts(B, [&](const Stmt &S) {
      if (const auto *C = S.getIf<PrimitiveCall>())
        Found.insert(C->Primitive);
      if (const auto *C = S.getIf<CopyStmt>())
        if (const Copy *Way = Target.findCopy(C->Src.Base->Memory, C->Dst.Base->Memory))
          Found.insert(Way->Name.Value);
      States Here = required(S);
      Found.insert(Here.begin(), Here.end());
      Needed.insert(Here.begin(), Here.end());
    });
  }

  void set(const std::string &Name, const Location &Loc, States &Set, Block &Out) const {
    Out.push_back({SetState{Name}, Loc});
    makeStale(Name, Set);
    Set.insert(Name);
  }

  States withoutStale(States Set, Stmts Body) const {
    bool CallsUser = false;
    walkStmts(Body, [&](const Stmt &S) { CallsUser |= S.getIf<OpaqueCall>() != nullptr; });
    if (CallsUser)
      return {};
    States Found, Needed;
    actors(Body, Found, Needed);
    for (const std::string &Name : Found)
      makeStale(Name, Set);
    return Set;
  }

  /// What stands in all loops of a group, which nothing else stands between.
  static Block &bodyOfGroup(For &F) {
    For *Next = F.Group && F.Body.size() == 1 ? F.Body.front().getIf<For>() : nullptr;
    return Next && Next->Group == F.Group ? bodyOfGroup(*Next) : F.Body;
  }

  /// Sets before a loop what it needs and keeps.
  void setBefore(const Stmt &S, const Block &Body, States &Set, Block &Out) const {
    States Found, Needed;
    actors(Body, Found, Needed);
    const States Kept = withoutStale(Needed, Body);
    for (const std::string &Name : Kept)
      if (!Set.count(Name))
        set(Name, S.Loc, Set, Out);
  }

  /// Iterations of a loop that is spread over these run on processors of their own.
  bool begins(const Processor &Level, bool InLaunch) const {
    return Target.hasScratchpads() ? !InLaunch && !Level.Launch.Value.empty()
                                   : Level.LoopSpread.Value == Processor::Spread::Team;
  }

public:
  explicit Setter(const Machine &Target) : Target(Target) {}

  /// `Set`: what is set where B starts; afterwards, where it ends.
  void run(Block &B, States &Set, bool InLaunch) const {
    Block Out;
    for (Stmt &S : B) {
      if (auto *F = S.getIf<For>()) {
        const Processor *Level = F->Spread.empty() ? nullptr : Target.findProcessor(F->Spread);
        if (Level && begins(*Level, InLaunch)) {
          States Fresh; // every processor starts with none
          run(bodyOfGroup(*F), Fresh, true);
          Set = withoutStale(Set, F->Body);
        } else {
          if (InLaunch)
            setBefore(S, F->Body, Set, Out);
          States Inside = withoutStale(Set, F->Body);
          run(F->Body, Inside, InLaunch);
          Set = withoutStale(Set, F->Body);
        }
      } else if (auto *I = S.getIf<If>()) {
        States Else = Set;
        run(I->Then, Set, InLaunch);
        run(I->Else, Else, InLaunch);
        std::erase_if(Set, [&](const std::string &Name) { return !Else.count(Name); });
      } else if (auto *Sc = S.getIf<Scope>()) {
        run(Sc->Body, Set, InLaunch);
      } else {
        for (const std::string &Name : required(S))
          if (!Set.count(Name))
            set(Name, S.Loc, Set, Out);
        States Found, Needed;
        actors(S, Found, Needed);
        for (const std::string &Name : Found)
          if (!Needed.count(Name))
            makeStale(Name, Set);
        if (S.getIf<OpaqueCall>())
          Set.clear();
      }
      Out.push_back(std::move(S));
    }
    B = std::move(Out);
  }
};

} // namespace

void setStates(Program &P) {
  if (P.Target->States.empty() || gridDepth(*P.Target))
    return;
  States None;
  Setter(*P.Target).run(P.Body, None, !P.Target->hasScratchpads());
}

} // namespace septran::compiler
