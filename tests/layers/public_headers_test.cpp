#include "tests/layers/public_headers.hpp"

#include <string>

#include "tests/layers/documented.hpp"
#include "tests/layers/sources.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(PublicHeaders, AreThere) {
  EXPECT_THAT(public_headers(), Contains("gossamer/compress/registry.hpp"));
  EXPECT_THAT(public_headers(), Contains("gossamer/learn/torch/flat_tensors.hpp"));
  for (const std::string& header : public_headers())
    EXPECT_TRUE(source_exists(header)) << header;
}

TEST(PublicHeaders, SayWhatEachDeclarationIsFor) {
  for (const std::string& header : public_headers())
    EXPECT_THAT(undocumented(header, source_text(header)), IsEmpty());
}

// Which a program has anyway: Eigen is what vectors are. All else would have to be installed by
// users who never call it.
TEST(PublicHeaders, NeedNoForeignHeaderButEigen) {
  for (const std::string& header : reached_from("gossamer/gossamer.hpp")) {
    const bool is_standard =
        header.find('.') == std::string::npos && header.find('/') == header.npos;
    EXPECT_TRUE(source_exists(header) || is_standard || header == "Eigen/Core") << header;
  }
  EXPECT_THAT(reached_from("gossamer/torch.hpp"), Contains("torch/torch.h"));
}

// Registries make what they list: no user can come to depend on a concrete one.
TEST(PublicHeaders, HideWhatRegistriesMake) {
  for (const char* const inner :
       {"gossamer/algorithms/factories.hpp", "gossamer/compress/factories.hpp",
        "gossamer/topology/factory.hpp", "gossamer/learn/factory.hpp",
        "gossamer/settings/toml_table.hpp", "gossamer/network/tls/world.hpp"}) {
    EXPECT_TRUE(source_exists(inner)) << inner;
    EXPECT_THAT(reached_from("gossamer/gossamer.hpp"), Not(Contains(inner)));
  }
  for (const std::string& header : reached_from("gossamer/gossamer.hpp"))
    EXPECT_FALSE(header.ends_with(".def")) << header;
}

}  // namespace
}  // namespace gossamer::testing
