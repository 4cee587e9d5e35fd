#include "Support/OutputFile.h"
#include "test/unit/Support/BadFiles.h"
#include "test/unit/Support/TestFolder.h"

#include <gtest/gtest.h>

#include <sys/stat.h>

using namespace septran::compiler;
namespace fs = std::filesystem;

namespace {

class OutputFile : public testing::Test {
protected:
  TestFolder Own;
  const fs::path &Folder = Own.Path;

  std::string path(const char *Name) const { return (Folder / Name).string(); }
  /// Nothing but these files, in particular no temporary one.
  size_t entries() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(Folder), fs::directory_iterator()));
  }
};

TEST_F(OutputFile, CreatesAndReplaces) {
  Diagnostics D;
  EXPECT_TRUE(writeOutputFile(path("a"), "one\n", D));
  EXPECT_TRUE(writeOutputFile(path("a"), "two\n", D));
  EXPECT_EQ(readWholeFile(path("a")), "two\n");
  EXPECT_EQ(entries(), 1u);
  EXPECT_TRUE(D.empty());
}

TEST_F(OutputFile, KeepsPermissionsAndLinks) {
  Diagnostics D;
  ASSERT_TRUE(writeOutputFile(path("a"), "one\n", D));
  fs::permissions(path("a"), fs::perms(0640));
  fs::create_symlink("a", path("link"));
  EXPECT_TRUE(writeOutputFile(path("link"), "two\n", D));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(readWholeFile(path("a")), "two\n");
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms(0640));
}

TEST_F(OutputFile, ReportsAndLeavesNothingBehind) {
  Diagnostics D;
  EXPECT_FALSE(writeOutputFile(path("no/such/folder"), "x", D));
  EXPECT_FALSE(writeOutputFile(Folder.string(), "x", D));
  EXPECT_EQ(entries(), 0u);
  EXPECT_EQ(renderText(D), "error: cannot write '" + path("no/such/folder") +
                               "': no such file or directory [septran-cannot-write]\n"
                               "error: cannot write '" +
                               Folder.string() + "': is a directory [septran-cannot-write]\n");
}

TEST_F(OutputFile, SaysBeforeWhetherItCan) {
  Diagnostics D;
  for (const std::string &Good :
       {path("a"), std::string("-"), std::string("/dev/null"), std::string("a")})
    EXPECT_TRUE(canWriteOutputFile(Good, D)) << Good;
  EXPECT_TRUE(D.empty());
  EXPECT_FALSE(canWriteOutputFile(path("no/such/folder"), D));
  EXPECT_FALSE(canWriteOutputFile(Folder.string(), D));
  EXPECT_EQ(entries(), 0u);
  EXPECT_EQ(renderText(D), "error: cannot write '" + path("no/such/folder") +
                               "': no such file or directory [septran-cannot-write]\n"
                               "error: cannot write '" +
                               Folder.string() + "': is a directory [septran-cannot-write]\n");
}

TEST_F(OutputFile, WritesToDevices) {
  Diagnostics D;
  EXPECT_TRUE(writeOutputFile("/dev/null", "x", D));
  EXPECT_FALSE(writeOutputFile("/dev/full", "x", D));
  EXPECT_EQ(renderText(D), "error: cannot write '/dev/full': no space left on device "
                           "[septran-cannot-write]\n");
}

} // namespace
