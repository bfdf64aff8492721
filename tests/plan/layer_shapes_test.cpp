// The tensors of a model whose layers are given by their sizes.

#include "gossamer/plan/layer_shapes.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Shape = std::vector<std::size_t>;

std::vector<Shape> shapes_of(std::string_view layers) {
  const Layout layout = parse_layers(layers).value();
  std::vector<Shape> shapes;
  for (const Block& block : layout.blocks())
    shapes.push_back(block.shape);
  return shapes;
}

std::string refused_layers(std::string_view layers) {
  const Result<Layout> layout = parse_layers(layers);
  return layout ? "" : layout.error().message;
}

TEST(LayerShapes, EachTypeHasTheTensorsThatNetworksHave) {
  EXPECT_THAT(shapes_of("linear:784x256"), ElementsAre(Shape{256, 784}, Shape{256}));
  EXPECT_THAT(shapes_of("conv:3x16x5x4"), ElementsAre(Shape{16, 3, 5, 4}, Shape{16}));
  EXPECT_THAT(shapes_of("norm:64"), ElementsAre(Shape{64}, Shape{64}));
  EXPECT_THAT(shapes_of("embedding:10000x32"), ElementsAre(Shape{10000, 32}));
  EXPECT_THAT(shapes_of("lstm:32x64"),
              ElementsAre(Shape{256, 32}, Shape{256, 64}, Shape{256}, Shape{256}));
  EXPECT_THAT(shapes_of("tensor:7"), ElementsAre(Shape{7}));
  EXPECT_THAT(shapes_of("tensor:2x3x5x7x11"), ElementsAre(Shape{2, 3, 5, 7, 11}));
}

TEST(LayerShapes, LayersFollowEachOtherAndAreNumbered) {
  const Layout layout = parse_layers("linear:784x10,norm:10,linear:10x2").value();
  std::vector<std::string> names;
  for (const Block& block : layout.blocks())
    names.push_back(block.name);
  EXPECT_THAT(names, ElementsAre("0.linear.weight", "0.linear.bias", "1.norm.weight", "1.norm.bias",
                                 "2.linear.weight", "2.linear.bias"));
  EXPECT_EQ(layout.size(), 7850u + 20u + 22u);
}

TEST(LayerShapes, AnUnknownTypeIsRefusedWithThoseThatThereAre) {
  EXPECT_THAT(refused_layers("linaer:3x4"), AllOf(HasSubstr("layer type"), HasSubstr("linear")));
  EXPECT_THAT(refused_layers("linear:3x4,dropout:2"), HasSubstr("dropout"));
  EXPECT_NE(refused_layers(""), "");
  EXPECT_NE(refused_layers("linear:3x4,"), "");
}

TEST(LayerShapes, SizesThatDoNotFitTheTypeAreRefusedWithItsForm) {
  for (const char* const layer : {"linear", "linear:", "linear:3", "linear:3x", "linear:3x4x5",
                                  "linear:0x4", "linear:-3x4", "linear:3xfour", "linear:3.5x4"}) {
    EXPECT_EQ(refused_layers(layer), std::string("layer '") + layer +
                                         "' must be linear:INxOUT, with whole numbers from 1 on");
  }
  EXPECT_THAT(refused_layers("conv:3x16x3"), HasSubstr("must be conv:INxOUTxHEIGHTxWIDTH"));
  EXPECT_THAT(refused_layers("tensor"), HasSubstr("must be tensor:AxBx..."));
}

TEST(LayerShapes, ModelsThatNoFlatVectorHoldsAreRefused) {
  EXPECT_EQ(refused_layers("tensor:4294967295x4294967295"),
            "layer 'tensor:4294967295x4294967295' has too many numbers");
  EXPECT_EQ(refused_layers("tensor:65536x65536"),
            "layer 'tensor:65536x65536' has too many numbers");
  std::string many = "tensor:500000000";
  for (int i = 0; i < 8; ++i)
    many += ",tensor:500000000";
  EXPECT_EQ(refused_layers(many), "the model has more than 2^32 numbers");
}

}  // namespace
}  // namespace gossamer
