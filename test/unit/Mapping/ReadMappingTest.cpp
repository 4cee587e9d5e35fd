#include "Mapping/ReadMapping.h"
#include "test/unit/Support/BadFiles.h"

#include <gtest/gtest.h>

using namespace septran::compiler;

namespace {

std::optional<Mapping> read(std::string_view Text, const ReadMappingOptions &Options = {}) {
  Diagnostics D;
  std::optional<Mapping> M = readMappingText(Text, "map.yaml", D, Options);
  EXPECT_EQ(renderText(D), "");
  return M;
}

std::string messages(std::string_view Text, const ReadMappingOptions &Options = {}) {
  Diagnostics D;
  EXPECT_FALSE(readMappingText(Text, "map.yaml", D, Options));
  return renderText(D);
}

TEST(ReadMapping, SampleWithFixedValues) {
  Diagnostics D;
  auto M = readMapping(SEPTRAN_SOURCE_DIR "/mappings/samples/gemm_hopper.yaml", D);
  ASSERT_TRUE(M) << renderText(D);
  EXPECT_EQ(M->Machine->Value, "nvidia/hopper");
  EXPECT_EQ(M->Entrypoint.Value, "gemm_host");
  EXPECT_EQ(M->instanceNames(), (std::vector<std::string>{"gemm_host", "gemm_block_gpu"}));
  const InstanceMapping &Host = *M->find("gemm_host");
  EXPECT_EQ(Host.TaskName.Value, "gemm");
  EXPECT_EQ(Host.Proc->Value, "HOST");
  EXPECT_EQ(*Host.Mems.find("C"), "GLOBAL");
  EXPECT_EQ(Host.Tunables.find("tile_n")->Value, 256);
  EXPECT_EQ(Host.findCall("gemm", 0)->Instance.Value, "gemm_block_gpu");
  const InstanceMapping &Block = *M->find("gemm_block_gpu");
  EXPECT_TRUE(Block.Tunables.find("tile_m")->Full);
  EXPECT_EQ(Block.Pipeline->Value, 4);
  EXPECT_EQ(*Block.LeafTaskBindings.find("gemm_leaf"), "wgmma");
  EXPECT_TRUE(M->TunePoints.empty());
}

TEST(ReadMapping, SampleWithSearchSpace) {
  Diagnostics D;
  auto M = readMapping(SEPTRAN_SOURCE_DIR "/mappings/samples/gemm_hopper_tune.yaml", D);
  ASSERT_TRUE(M) << renderText(D);
  ASSERT_EQ(M->TunePoints.size(), 4u);
  const TunePoint *Depth = M->findTunePoint("gemm_block_gpu.pipeline");
  ASSERT_TRUE(Depth);
  EXPECT_EQ(Depth->candidates(), (std::vector<std::string>{"4", "2", "3"}));
  EXPECT_EQ(M->find("gemm_block_gpu")->Pipeline->Value, 4) << "the first value is the default";
}

TEST(ReadMapping, ValuesKnowTheirPlaces) {
  auto M = read("entrypoint: a\n"
                "task_mappings:\n"
                "  a:\n"
                "    mems: {C: CACHE}\n"
                "    pipeline: 12\n");
  const InstanceMapping &A = *M->find("a");
  EXPECT_EQ(A.Name.Loc, Location::span("map.yaml", 3, 3, 1));
  EXPECT_EQ(A.TaskName.Value, "a");
  EXPECT_EQ(A.TaskName.Loc, A.Name.Loc) << "the task that is not stated stands at the name";
  EXPECT_EQ(A.Mems.findEntry("C")->Name.Loc, Location::span("map.yaml", 4, 12, 1));
  EXPECT_EQ(A.Mems.findEntry("C")->Value.Loc, Location::span("map.yaml", 4, 15, 5));
  EXPECT_EQ(A.Pipeline->Loc, Location::span("map.yaml", 5, 15, 2));
}

TEST(ReadMapping, CallsOfOneSiteWin) {
  auto M = read("entrypoint: a\n"
                "task_mappings:\n"
                "  a: {calls: {f: b, \"f#1\": c}}\n"
                "  b: {}\n"
                "  c: {}\n");
  const InstanceMapping &A = *M->find("a");
  EXPECT_EQ(A.findCall("f", 0)->Instance.Value, "b");
  EXPECT_EQ(A.findCall("f", 1)->Instance.Value, "c");
  EXPECT_EQ(A.findCall("g", 0), nullptr);
}

TEST(ReadMapping, DefaultsFromGeneralToSpecific) {
  auto M = read("entrypoint: a\n"
                "defaults:\n"
                "  pipeline: 1\n"
                "  prefetch: {A: 1}\n"
                "  tunables: {t: 1, u: 1}\n"
                "  by_level: {CORE: {pipeline: 2, tunables: {t: 2}}}\n"
                "  by_task:\n"
                "    \"*\": {tunables: {u: 3}}\n"
                "    gemm_?: {pipeline: 4}\n"
                "task_mappings:\n"
                "  a: {}\n"
                "  b: {proc: CORE}\n"
                "  c: {proc: CORE, task_name: gemm_x}\n"
                "  d: {extends: c, pipeline: 5, tunables: {u: 6}}\n");
  auto Pipeline = [&](const char *Name) { return M->find(Name)->Pipeline->Value; };
  EXPECT_EQ(Pipeline("a"), 1);
  EXPECT_EQ(Pipeline("b"), 2);
  EXPECT_EQ(Pipeline("c"), 4);
  EXPECT_EQ(Pipeline("d"), 5);
  const InstanceMapping &D = *M->find("d");
  EXPECT_EQ(D.Tunables.find("t")->Value, 2);
  EXPECT_EQ(D.Tunables.find("u")->Value, 6);
  EXPECT_EQ(D.Prefetch.find("A")->Iterations, 1);
  EXPECT_EQ(D.TaskName.Value, "gemm_x");
}

TEST(ReadMapping, ExtendingAnInstanceTakesItsTask) {
  auto M = read("entrypoint: gemm\ntask_mappings: {gemm: {proc: HOST}, inner: {extends: gemm}}\n");
  EXPECT_EQ(M->find("inner")->TaskName.Value, "gemm");
  EXPECT_EQ(M->find("inner")->Proc->Value, "HOST");
}

TEST(ReadMapping, MistakesInDefaultsAreReportedOnce) {
  EXPECT_EQ(messages("entrypoint: a\n"
                     "defaults: {pipeline: x}\n"
                     "task_mappings: {a: {}, b: {}, c: {}}\n"),
            "map.yaml:2:22: error: 'pipeline' expects a decimal integer, found 'x' "
            "[septran-integer-format]\n");
}

TEST(ReadMapping, FilesAreListedForDepfiles) {
  std::vector<std::string> Files;
  ReadMappingOptions Options;
  Options.Files = &Files;
  Diagnostics D;
  std::string Folder = SEPTRAN_SOURCE_DIR "/test/Mapping/Inputs/good/";
  EXPECT_TRUE(readMapping(Folder + "every-key.yaml", D, Options)) << renderText(D);
  EXPECT_EQ(Files, (std::vector<std::string>{Folder + "every-key.yaml", Folder + "more.yaml",
                                             Folder + "base.yaml"}));
}

TEST(ReadMapping, ExtendsAndIncludesFiles) {
  Diagnostics D;
  auto M = readMapping(SEPTRAN_SOURCE_DIR "/test/Mapping/Inputs/good/every-key.yaml", D);
  ASSERT_TRUE(M) << renderText(D);
  EXPECT_EQ(M->Machine->Value, "cpu/x86-avx512") << "overridden";
  EXPECT_EQ(M->find("top")->Pipeline->Value, 3) << "inherited";
  EXPECT_EQ(M->find("top")->Tunables.find("tile_m")->Value, 128) << "overridden in a map";
  EXPECT_TRUE(M->find("kept"));
  EXPECT_TRUE(M->find("added"));
}

TEST(ReadMapping, EndlessAndMissingFiles) {
  Diagnostics D;
  EXPECT_FALSE(readMapping("/dev/zero", D));
  EXPECT_FALSE(readMapping("no-such-file.yaml", D));
  EXPECT_FALSE(readMapping("", D));
  EXPECT_EQ(renderText(D),
            "error: '/dev/zero' is larger than the 16777216 bytes that are accepted "
            "[septran-file-too-large]\n"
            "error: cannot read 'no-such-file.yaml': no such file or directory "
            "[septran-cannot-read]\n"
            "error: cannot read '': no such file or directory [septran-cannot-read]\n");
}

TEST(ReadMapping, MistakesInIncludedFilesSayWhoIncludes) {
  Diagnostics D;
  std::string Bad = SEPTRAN_SOURCE_DIR "/test/Mapping/Inputs/bad/";
  EXPECT_FALSE(readMappingText("include: yaml-syntax.yaml\n", Bad + "map.yaml", D));
  ASSERT_EQ(D.begin()->Notes.size(), 1u) << renderText(D);
  EXPECT_EQ(D.begin()->Notes[0].Loc, Location::span(Bad + "map.yaml", 1, 10, 16));
}

TEST(ReadMapping, TypedValuesOfEveryKey) {
  Diagnostics D;
  auto M = readMapping(SEPTRAN_SOURCE_DIR "/test/Mapping/Inputs/good/every-key.yaml", D);
  ASSERT_TRUE(M) << renderText(D);
  const InstanceMapping &B = *M->find("block");
  EXPECT_EQ(B.Layouts.find("D")->K, Layout::Kind::Panels);
  EXPECT_EQ(B.Layouts.find("D")->Ints, (std::vector<int64_t>{1, 16}));
  EXPECT_EQ(B.Parallelize->Value.Kind->Value, Parallelize::Schedule::Dynamic);
  EXPECT_EQ(B.Parallelize->Value.Chunk->Value, 1);
  EXPECT_EQ(B.Parallelize->Value.Collapse->Value, 2);
  EXPECT_EQ(B.Unroll->Value.Loops.find("k")->Value, 4);
  EXPECT_TRUE(B.Unroll->Value.Loops.find("j")->Full);
  EXPECT_EQ(B.Vectorize->Value.Loop->Value, "j");
  EXPECT_EQ(B.Vectorize->Value.Width->Value, 16);
  EXPECT_EQ(B.Order->Value.Group, 8);
  EXPECT_FALSE(B.Persistent->Value);
  EXPECT_EQ(B.Cluster.size(), 2u);
  EXPECT_EQ(*B.Registers->Value.PerRole.find("consumer"), 232);
  const InstanceMapping &L = *M->find("leaf");
  EXPECT_FALSE(L.Parallelize->Value.Enabled);
  EXPECT_EQ(L.Unroll->Value.Innermost->Value.Value, 4);
  EXPECT_EQ(L.Vectorize->Value.Width->Value, 16);
  EXPECT_EQ(L.Binding->Value, "dot4_u8s8");
  EXPECT_TRUE(M->Nondeterministic.Value);
}

TEST(Tune, CandidatesOfEveryKind) {
  auto M = read("entrypoint: a\n"
                "task_mappings:\n"
                "  a:\n"
                "    tunables:\n"
                "      c: !tune [8, full]\n"
                "      r: !tune {type: range, min: -4, max: 5, step: 4}\n"
                "      p: !tune {type: pow2, min: 3, max: 20, default: 8}\n"
                "    persistent: !tune {type: bool, default: true}\n");
  using Strings = std::vector<std::string>;
  EXPECT_EQ(M->findTunePoint("a.tunables.c")->candidates(), (Strings{"8", "full"}));
  EXPECT_EQ(M->findTunePoint("a.tunables.r")->candidates(), (Strings{"-4", "0", "4"}));
  EXPECT_EQ(M->findTunePoint("a.tunables.p")->candidates(), (Strings{"4", "8", "16"}));
  EXPECT_EQ(M->find("a")->Tunables.find("p")->Value, 8);
  EXPECT_TRUE(M->find("a")->Persistent->Value);
}

TEST(Tune, ChoicesReplaceDefaults) {
  const char *Text = "entrypoint: a\ntask_mappings: {a: {pipeline: !tune [2, 3]}}\n";
  ReadMappingOptions Options;
  Options.Choices["a.pipeline"] = "3";
  EXPECT_EQ(read(Text, Options)->find("a")->Pipeline->Value, 3);
  Options.Choices["a.pipeline"] = "4";
  EXPECT_EQ(messages(Text, Options),
            "map.yaml:2:31: error: '4' cannot be chosen at 'a.pipeline'; expected '2' or '3' "
            "[septran-tune-choice]\n");
  Options.Choices.clear();
  Options.Choices["a.pipelin"] = "2";
  EXPECT_EQ(messages(Text, Options),
            "map.yaml: error: the mapping has no '!tune' at 'a.pipelin'; did you mean "
            "'a.pipeline'? [septran-unknown-tune-point]\n");
}

TEST(ReadMapping, ManyInstancesInLinearTime) {
  std::string Text = "entrypoint: i0\ntask_mappings:\n";
  constexpr int Count = 20000;
  for (int I = 0; I < Count; ++I) {
    std::string N = std::to_string(I);
    Text += "  i" + N + ": {proc: CORE, mems: {A: CACHE, B: CACHE}, tunables: {t: 64}" +
            (I ? ", extends: i0" : "") + "}\n";
  }
  EXPECT_EQ(read(Text)->Instances.size(), static_cast<size_t>(Count));
}

/// `Count` instances, each extending the one before or after it.
std::string chainOfExtends(int Count, bool Forward) {
  std::string Text = "entrypoint: i0\ntask_mappings:\n  i0: {proc: CORE}\n";
  for (int I = 1; I < Count; ++I) {
    int N = Forward ? I : Count - I;
    Text += "  i" + std::to_string(N) + ": {extends: i" + std::to_string(N - 1) + "}\n";
  }
  return Text;
}

TEST(ReadMapping, ChainsOfExtendsAreBounded) {
  for (bool Forward : {true, false}) {
    EXPECT_EQ(read(chainOfExtends(64, Forward))->find("i63")->Proc->Value, "CORE");
    EXPECT_NE(messages(chainOfExtends(65, Forward)).find("septran-yaml-too-deep"),
              std::string::npos);
    EXPECT_NE(messages(chainOfExtends(50000, Forward)).find("septran-yaml-too-deep"),
              std::string::npos);
  }
}

} // namespace
