#include <string>
#include <vector>

#include "tests/layers/cpp_text.hpp"
#include "tests/layers/layer_rules.hpp"
#include "tests/layers/sources.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Layers, EveryIncludePointsDown) {
  const std::vector<std::string> paths = source_paths();
  EXPECT_THAT(paths, Contains("gossamer/base/bytes.hpp"));
  EXPECT_THAT(paths, Contains("gossamer/wire/frame.cpp"));
  EXPECT_THAT(paths, Contains("apps/main.cpp"));
  for (const std::string& path : paths) {
    EXPECT_THAT(layer_violations(path, source_text(path)), IsEmpty());
  }
}

// What follows shows that the checker can fail.

TEST(LayerRules, LetIncludesPointDown) {
  EXPECT_THAT(layer_violations("gossamer/compress/topk.cpp", R"(
#include "gossamer/compress/compressor.hpp"

#include <vector>

#include <fmt/format.h>

#include "gossamer/base/bytes.hpp"
#include "gossamer/math/vec.hpp"
)"),
              IsEmpty());
}

TEST(LayerRules, RefuseAnIncludeThatPointsUp) {
  EXPECT_THAT(layer_violations("gossamer/base/bytes.cpp", "\n#include \"gossamer/math/vec.hpp\"\n"),
              ElementsAre("gossamer/base/bytes.cpp:2: includes gossamer/math/vec.hpp: includes "
                          "point down: base does not see math"));
}

TEST(LayerRules, RefuseAnIncludeThatPointsSideways) {
  EXPECT_THAT(
      layer_violations("gossamer/topology/graphs/ring.cpp",
                       "#include \"gossamer/compress/compressor.hpp\""),
      ElementsAre("gossamer/topology/graphs/ring.cpp:1: includes gossamer/compress/compressor.hpp: "
                  "includes point down: topology does not see compress"));
}

TEST(LayerRules, HideTheNetworkFromAlgorithms) {
  const std::string path = "gossamer/algorithms/choco.cpp";
  EXPECT_THAT(layer_violations(path, "#include \"gossamer/node/node.hpp\""), IsEmpty());
  for (const char* const folder : {"network", "topology", "learn", "train"}) {
    const std::string include = std::string("#include \"gossamer/") + folder + "/x.hpp\"";
    EXPECT_EQ(layer_violations(path, include).size(), 1u) << folder;
  }
}

TEST(LayerRules, SeeThroughOtherWaysToWriteAnInclude) {
  for (const char* const include :
       {"#include <gossamer/math/vec.hpp>", "  #  include \"gossamer/math/vec.hpp\"",
        "#include\"gossamer/math/vec.hpp\"", "#include \"gossamer/math/vec.hpp\"  // reason",
        "/* why */ #include \"gossamer/math/vec.hpp\"", "#include \"../math/vec.hpp\"",
        "#include \"gossamer/base/../math/vec.hpp\"", "#include \"vec.hpp\"",
        "#include \"apps/command.hpp\"", "#include \"tests/support/golden.hpp\""}) {
    EXPECT_EQ(layer_violations("gossamer/base/x.hpp", include).size(), 1u) << include;
  }
}

TEST(LayerRules, LetProgramsIncludeEverything) {
  EXPECT_THAT(layer_violations("apps/main.cpp", R"(
#include "apps/command.hpp"
#include "gossamer/algorithms/algorithm.hpp"
#include "gossamer/wire/frame.hpp"
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
)"),
              IsEmpty());
}

TEST(LayerRules, LetOnlyUsersIncludeTheHeadersAboveAllLayers) {
  const std::string umbrella = "#include \"gossamer/gossamer.hpp\"";
  EXPECT_THAT(layer_violations("gossamer/gossamer.hpp", "#include \"gossamer/train/run.hpp\""),
              IsEmpty());
  EXPECT_THAT(layer_violations("apps/main.cpp", umbrella), IsEmpty());
  EXPECT_THAT(layer_violations("gossamer/train/run.cpp", umbrella),
              ElementsAre("gossamer/train/run.cpp:1: includes gossamer/gossamer.hpp: it is for "
                          "users: layers include what they use"));
  EXPECT_EQ(layer_violations("gossamer/gossamer.hpp", "#include <torch/torch.h>").size(), 1u);
}

TEST(LayerRules, RefuseAFolderThatIsNotInThePicture) {
  EXPECT_THAT(layer_violations("gossamer/utils/misc.hpp", "int x;"),
              ElementsAre("gossamer/utils/misc.hpp: the picture has no folder gossamer/utils"));
  EXPECT_EQ(layer_violations("apps/main.cpp", "#include \"gossamer/utils/misc.hpp\"").size(), 1u);
}

TEST(LayerRules, KeepEachForeignLibraryInItsFolder) {
  struct Case {
    const char* header;
    const char* home;
    const char* elsewhere;
  };

  for (const Case& c : {
           Case{"<hwy/highway.h>", "gossamer/math/kernels/reduce.cpp",
                "gossamer/math/kernels/reduce.hpp"},
           Case{"\"hwy/highway.h\"", "gossamer/math/kernels/reduce.cpp",
                "gossamer/compress/sign.cpp"},
           Case{"<xxhash.h>", "gossamer/wire/frame.cpp", "gossamer/wire/frame.hpp"},
           Case{"<xxhash.h>", "apps/commands/version.cpp", "apps/main.cpp"},
           Case{"<CLI/CLI.hpp>", "apps/main.cpp", "gossamer/base/text/options.cpp"},
           Case{"<nlohmann/json.hpp>", "gossamer/report/page.cpp",
                "gossamer/topology/graphs/file.cpp"},
           Case{"<torch/torch.h>", "gossamer/learn/torch/mlp.cpp",
                "gossamer/learn/convex/logistic.cpp"},
           Case{"<c10/util/Half.h>", "gossamer/learn/torch/mlp.cpp", "gossamer/math/vec.hpp"},
           Case{"<mpi.h>", "gossamer/network/mpi/mpi.cpp", "gossamer/network/sim/sim.cpp"},
           Case{"<simgrid/s4u.hpp>", "gossamer/network/sim/sim.cpp", "gossamer/node/node.cpp"},
           Case{"<xbt/log.h>", "gossamer/network/sim/sim.cpp", "gossamer/network/sim/sim.hpp"},
           Case{"<asio.hpp>", "gossamer/network/sockets/x.cpp", "gossamer/network/network.hpp"},
           Case{"<asio/ssl.hpp>", "gossamer/network/sockets/x.cpp", "apps/main.cpp"},
           Case{"<openssl/ssl.h>", "gossamer/network/sockets/x.cpp", "gossamer/wire/frame.cpp"},
           Case{"<iostream>", "apps/main.cpp", "gossamer/base/bytes.cpp"},
       }) {
    SCOPED_TRACE(c.header);
    const std::string include = std::string("#include ") + c.header + "\n";
    EXPECT_THAT(layer_violations(c.home, include), IsEmpty());
    EXPECT_EQ(layer_violations(c.elsewhere, include).size(), 1u);
  }
}

TEST(LayerRules, LetOnlyProgramsPrint) {
  for (const char* const code :
       {"printf(\"x\");", "std::printf(\"x\");", "::puts(\"x\");", "std::cout << 1;",
        "if (x) std::cerr << 1;", "fmt::print(\"x\");", "fmt::print(stderr, \"x\");",
        "auto f = &printf;", "using std::cout;"}) {
    SCOPED_TRACE(code);
    EXPECT_EQ(layer_violations("gossamer/base/x.cpp", code).size(), 1u);
    EXPECT_THAT(layer_violations("apps/x.cpp", code), IsEmpty());
  }
}

TEST(LayerRules, DoNotTakeForPrintingWhatOnlyLooksLikeIt) {
  for (const char* const code :
       {"std::snprintf(b, n, \"x\");", "blueprint(x);", "fmt::print_x(y);", "// printf(\"x\");",
        "/* std::cout\n << printf(1) */ int x;", "auto s = \"printf(\";", "char c = '\"'; // puts",
        "auto s = R\"(\nstd::cout << \"\n)\";", "auto s = R\"x( )\" printf( )x\";",
        "int fmt_print = 1'000'000;", "table.print();"}) {
    EXPECT_THAT(layer_violations("gossamer/base/x.cpp", code), IsEmpty()) << code;
  }
}

TEST(LayerRules, FindCodeRightBehindCommentsAndLiterals) {
  for (const char* const code :
       {"/* a */ puts(x);", "f(\"\\\"\"); puts(x);", "g('\\''); puts(x);", "R\"(\")\"; puts(x);",
        "1'000; puts(x); '1'", "// a\nputs(x);", "u8\"a\"; puts(x);", "/**/puts(x);"}) {
    EXPECT_EQ(layer_violations("gossamer/base/x.cpp", code).size(), 1u) << code;
  }
}

TEST(LayerRules, LetTheLibraryNeitherReadTheEnvironmentNorSleep) {
  EXPECT_EQ(layer_violations("gossamer/math/x.cpp", "std::getenv(\"HOME\")").size(), 1u);
  EXPECT_THAT(layer_violations("apps/x.cpp", "std::getenv(\"HOME\")"), IsEmpty());
  EXPECT_EQ(layer_violations("gossamer/network/x.cpp", "std::this_thread::sleep_for(t)").size(),
            1u);
  EXPECT_THAT(layer_violations("gossamer/network/sim/sim.cpp", "this_actor::sleep_for(t)"),
              IsEmpty());
}

TEST(LayerRules, CountLinesAcrossCommentsAndLiterals) {
  EXPECT_THAT(layer_violations("gossamer/base/x.cpp", "/*\n\n*/\nR\"(\n)\";\nputs(x);"),
              ElementsAre("gossamer/base/x.cpp:6: puts: only apps/ prints"));
}

TEST(LayerRules, TakeUnfinishedTextToItsEnd) {
  for (const char* const code : {"", "/*", "/* *", "\"", "\"\\", "'", "R\"", "R\"(", "R\"x(", "#",
                                 "#include", "#include \"", "#include <a"}) {
    EXPECT_EQ(code_only(code).size(), std::string(code).size()) << code;
    (void)layer_violations("gossamer/base/x.cpp", code);
  }
}

TEST(LayerRules, IgnoreAnIncludeInAComment) {
  EXPECT_THAT(layer_violations("gossamer/base/x.cpp", "// #include \"gossamer/math/vec.hpp\""),
              IsEmpty());
}

}  // namespace
}  // namespace gossamer::testing
