//===- Support/Yaml.cpp ----------------------------------------*- C++ -*-===//
#include "Support/Yaml.h"
#include "Support/YamlSource.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cassert>
#include <sstream>
#include <unordered_map>

namespace septran::compiler {

namespace {

/// Leaves the parser after an error that makes going on pointless.
struct StopParsing {};

/// Builds the tree from the parser's events.
class TreeBuilder final : public YAML::EventHandler {
  struct Frame {
    std::shared_ptr<YamlNode> Node;
    YAML::anchor_t Anchor;
    bool HasKey = false;
    bool KeyIsBad = false;
    LocatedName Key;
    std::vector<YamlEntry> Merges; ///< the values of `<<`
    std::unordered_map<std::string, Location> Seen;
  };

  const YamlSource &Source;
  Diagnostics &D;
  std::vector<Frame> Stack;
  std::unordered_map<YAML::anchor_t, YamlPtr> Anchors;
  size_t Nodes = 0;
  YamlPtr Root;

public:
  TreeBuilder(const YamlSource &Source, Diagnostics &D) : Source(Source), D(D) {}

  YamlPtr takeRoot() { return std::move(Root); }

  void OnDocumentStart(const YAML::Mark &) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark &Mark, YAML::anchor_t Anchor) override {
    auto Node = std::make_shared<YamlNode>();
    Node->Loc = Source.nullAt(Mark);
    // `key:` without a value is marked at whatever follows it, which would point at another line.
    if (!Node->Loc.isValid())
      Node->Loc = missingValueLocation(Mark);
    count(1, Node->Loc);
    remember(Anchor, Node);
    attach(std::move(Node));
  }

  void OnAlias(const YAML::Mark &Mark, YAML::anchor_t Anchor) override {
    Location Use = Source.tokenAt(Mark);
    auto It = Anchors.find(Anchor);
    if (It == Anchors.end()) {
      // The anchor exists, or the parser would have thrown; so its value is still being read.
      D.report(DiagID::YamlAlias, Use, Source.nameAt(Mark));
      throw StopParsing();
    }
    auto Node = std::make_shared<YamlNode>(*It->second);
    Node->AliasUse = Use;
    count(Node->Count, Use);
    checkDepth(Node->Height, Use);
    attach(std::move(Node));
  }

  void OnScalar(const YAML::Mark &Mark, const std::string &Tag, YAML::anchor_t Anchor,
                const std::string &Value) override {
    auto Node = std::make_shared<YamlNode>();
    Node->K = YamlNode::Kind::Scalar;
    Node->Quoted = Tag == "!";
    Node->Text = Value;
    Node->Loc = Source.scalarAt(Mark, Value);
    Node->Tag = explicitTag(Tag, Node->Loc);
    count(1, Node->Loc);
    remember(Anchor, Node);
    attach(std::move(Node));
  }

  void OnSequenceStart(const YAML::Mark &Mark, const std::string &Tag, YAML::anchor_t Anchor,
                       YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::Sequence, Mark, Tag, Anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark &Mark, const std::string &Tag, YAML::anchor_t Anchor,
                  YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::Map, Mark, Tag, Anchor);
  }
  void OnMapEnd() override {
    applyMerges(Stack.back());
    close();
  }

private:
  /// yaml-cpp gives "?" to plain values and "!" to quoted ones. The one tag that means something to
  /// us stays on the node, for the readers that know it.
  std::string explicitTag(const std::string &Tag, const Location &Loc) {
    if (Tag == "!tune")
      return Tag;
    if (Tag != "?" && Tag != "!")
      D.report(DiagID::YamlTag, Loc, Tag, "'!tune' or no tag");
    return {};
  }

  Location missingValueLocation(const YAML::Mark &Mark) const {
    if (!Stack.empty() && Stack.back().HasKey)
      return Stack.back().Key.Loc;
    return Source.tokenAt(Mark);
  }

  void count(size_t More, const Location &Loc) {
    Nodes += More;
    if (Nodes <= YamlLimits::Nodes)
      return;
    D.report(DiagID::YamlTooManyNodes, Loc, YamlLimits::Nodes);
    throw StopParsing();
  }

  void checkDepth(unsigned Height, const Location &Loc) {
    if (Stack.size() + Height <= YamlLimits::Depth)
      return;
    D.report(DiagID::YamlTooDeep, Loc, YamlLimits::Depth);
    throw StopParsing();
  }

  void remember(YAML::anchor_t Anchor, const YamlPtr &Node) {
    if (Anchor)
      Anchors[Anchor] = Node;
  }

  void open(YamlNode::Kind K, const YAML::Mark &Mark, const std::string &Tag,
            YAML::anchor_t Anchor) {
    Frame F;
    F.Node = std::make_shared<YamlNode>();
    F.Node->K = K;
    F.Node->Loc = Source.tokenAt(Mark);
    F.Node->Tag = explicitTag(Tag, F.Node->Loc);
    F.Anchor = Anchor;
    count(1, F.Node->Loc);
    checkDepth(1, F.Node->Loc);
    // An anchor may be defined again: until this value is complete, the name means nothing.
    if (Anchor)
      Anchors.erase(Anchor);
    Stack.push_back(std::move(F));
  }

  void close() {
    Frame F = std::move(Stack.back());
    Stack.pop_back();
    for (const YamlPtr &Item : F.Node->Items)
      measure(*F.Node, *Item);
    for (const YamlEntry &E : F.Node->Entries)
      measure(*F.Node, *E.Value);
    remember(F.Anchor, F.Node);
    attach(std::move(F.Node));
  }

  static void measure(YamlNode &Parent, const YamlNode &Child) {
    Parent.Count += Child.Count;
    Parent.Height = std::max(Parent.Height, Child.Height + 1);
  }

  void attach(std::shared_ptr<YamlNode> Node) {
    if (Stack.empty()) {
      Root = std::move(Node);
      return;
    }
    Frame &F = Stack.back();
    if (F.Node->isSequence())
      addItem(F, std::move(Node));
    else if (!F.HasKey)
      setKey(F, *Node);
    else
      addEntry(F, std::move(Node));
  }

  void setKey(Frame &F, const YamlNode &Node) {
    F.HasKey = true;
    F.KeyIsBad = !Node.isScalar();
    const Location &Loc = Node.AliasUse.isValid() ? Node.AliasUse : Node.Loc;
    F.Key = LocatedName(Node.Text, Loc);
    if (F.KeyIsBad)
      D.report(DiagID::NonScalarKey, Loc, describe(Node));
  }

  /// In `{A: panels(0, 4)}` the comma ends the value: the map has a second key `4)`, without a
  /// value. Reports that and puts `Rest` back to what `Begun` begins.
  bool joinsSplitCall(YamlPtr &Begun, const std::string &Rest) {
    auto Count = [](const std::string &Text, char C) {
      return std::count(Text.begin(), Text.end(), C);
    };
    if (!Begun->isScalar() || Begun->Quoted || Count(Begun->Text, '(') <= Count(Begun->Text, ')'))
      return false;
    auto Whole = std::make_shared<YamlNode>(*Begun);
    Whole->Text += ", " + Rest;
    if (Count(Whole->Text, '(') == Count(Whole->Text, ')'))
      D.report(DiagID::YamlSplitCall, Whole->Loc, Whole->Text);
    Begun = std::move(Whole);
    return true;
  }

  void addItem(Frame &F, YamlPtr Item) {
    std::vector<YamlPtr> &Items = F.Node->Items;
    const bool MayBelong = !Items.empty() && Item->isScalar() && !Item->Quoted &&
                           Item->Loc.Line == Items.back()->Loc.Line;
    if (!MayBelong || !joinsSplitCall(Items.back(), Item->Text))
      Items.push_back(std::move(Item));
  }

  void addEntry(Frame &F, YamlPtr Value) {
    F.HasKey = false;
    if (F.KeyIsBad)
      return;
    YamlEntry Entry{std::move(F.Key), std::move(Value)};
    std::vector<YamlEntry> &Entries = F.Node->Entries;
    if (Entry.Value->isNull() && !Entries.empty() &&
        joinsSplitCall(Entries.back().Value, Entry.Key.Value))
      return;
    if (Entry.Key.Value == "<<") {
      F.Merges.push_back(std::move(Entry));
      return;
    }
    auto [It, New] = F.Seen.try_emplace(Entry.Key.Value, Entry.Key.Loc);
    if (New)
      F.Node->Entries.push_back(std::move(Entry));
    else
      D.report(DiagID::DuplicateKey, Entry.Key.Loc, Entry.Key.Value)
          .note(DiagID::NotePrevious, It->second);
  }

  /// `<<: map` and `<<: [map, ...]` add the keys that the map does not have; earlier maps win.
  void applyMerges(Frame &F) {
    if (F.Merges.size() > 1)
      D.report(DiagID::DuplicateKey, F.Merges[1].Key.Loc, "<<")
          .note(DiagID::NotePrevious, F.Merges[0].Key.Loc);
    for (const YamlEntry &Merge : F.Merges) {
      if (Merge.Value->isSequence()) {
        for (const YamlPtr &Item : Merge.Value->Items)
          mergeMap(F, Item);
      } else {
        mergeMap(F, Merge.Value);
      }
    }
  }

  void mergeMap(Frame &F, const YamlPtr &From) {
    if (!From->isMap()) {
      D.report(DiagID::YamlMergeKey, From->AliasUse.isValid() ? From->AliasUse : From->Loc,
               describe(*From));
      return;
    }
    for (const YamlEntry &E : From->Entries)
      if (F.Seen.try_emplace(E.Key.Value, E.Key.Loc).second)
        F.Node->Entries.push_back(E);
  }
};

} // namespace

const YamlEntry *YamlNode::find(std::string_view Key) const {
  for (const YamlEntry &E : Entries)
    if (E.Key.Value == Key)
      return &E;
  return nullptr;
}

std::string describe(const YamlNode &N) {
  // A long text would hide the message; its place is shown anyway.
  constexpr size_t MaxShown = 40;
  switch (N.K) {
  case YamlNode::Kind::Null:
    return "nothing";
  case YamlNode::Kind::Scalar:
    return "'" + (N.Text.size() <= MaxShown ? N.Text : N.Text.substr(0, MaxShown) + "...") + "'";
  case YamlNode::Kind::Sequence:
    return "a list";
  case YamlNode::Kind::Map:
    return "a map";
  }
  return {};
}

YamlPtr parseYaml(std::string_view Text, const FileName &File, Diagnostics &D) {
  if (Text.size() > YamlLimits::FileBytes) {
    D.report(DiagID::YamlTooLarge, Location{File}, Text.size(), YamlLimits::FileBytes);
    return nullptr;
  }
  YamlSource Source(Text, File);
  if (std::optional<YamlSource::BadByte> Bad = Source.findBadByte()) {
    D.report(DiagID::YamlEncoding, Bad->Loc, Bad->Spelling);
    return nullptr;
  }
  TreeBuilder Builder(Source, D);
  try {
    std::istringstream Stream{std::string(Source.text())};
    YAML::Parser Parser(Stream);
    if (!Parser.HandleNextDocument(Builder))
      return nullptr;
    YamlPtr Root = Builder.takeRoot();
    TreeBuilder Second(Source, D);
    // yaml-cpp sees no more documents in a stream that only ends with `...` or comments.
    if (Parser.HandleNextDocument(Second)) {
      YamlPtr Extra = Second.takeRoot();
      D.report(DiagID::YamlDocuments, Extra ? Extra->Loc : Location{File});
    }
    return Root;
  } catch (const StopParsing &) {
  } catch (const YAML::ParserException &E) {
    if (E.msg == YAML::ErrorMsg::UNKNOWN_ANCHOR)
      D.report(DiagID::YamlUnknownAlias, Source.tokenAt(E.mark), Source.nameAt(E.mark));
    else
      D.report(DiagID::YamlSyntax, Source.tokenAt(E.mark), E.msg);
  } catch (const YAML::Exception &E) {
    D.report(DiagID::YamlSyntax, Location{File}, E.msg);
  } catch (const std::bad_alloc &) {
    D.report(DiagID::YamlTooManyNodes, Location{File}, YamlLimits::Nodes);
  }
  return nullptr;
}

} // namespace septran::compiler
