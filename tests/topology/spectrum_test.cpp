#include "gossamer/topology/spectrum.hpp"

#include <cmath>
#include <numbers>
#include <ostream>
#include <string>

#include "tests/topology/topology_fixtures.hpp"
#include <gtest/gtest.h>

#include "gossamer/topology/lanczos.hpp"

namespace gossamer::testing {
namespace {

Spectrum spectrum_of(std::string_view spec, std::optional<NodeId> nodes = std::nullopt) {
  return mixing_of(*topology(spec, nodes)).value().spectrum.value();
}

/// A value as the reference prints it: right if it rounds to the same digits.
struct Printed {
  double value;
  double half_of_last_digit;
};

void expect_prints(double computed, Printed printed) {
  EXPECT_NEAR(computed, printed.value, printed.half_of_last_digit);
}

Printed fixed(double value, int digits) {
  return {value, 0.5 * std::pow(10.0, -digits)};
}

/// Three significant digits, as in 2.91e-2.
Printed scientific(double value) {
  return {value, 0.5 * std::pow(10.0, std::floor(std::log10(value) + 1e-12) - 2)};
}

/// One row of the reference table of mixing matrices (numbers from an independent implementation).
struct Row {
  const char* spec;
  std::optional<NodeId> nodes;
  Printed rho;
  Printed beta;
  double gamma_1;   // gamma_safe(1)
  double gamma_01;  // gamma_safe(0.1), 0 where the table has none
  double gamma_001;
  Printed gamma_plain;
};

std::ostream& operator<<(std::ostream& out, const Row& row) {
  out << row.spec;
  if (row.nodes) out << " --nodes " << *row.nodes;
  return out;
}

class ReferenceTable : public ::testing::TestWithParam<Row> {};

TEST_P(ReferenceTable, ComesOutToTheDigitsPrinted) {
  const Row& row = GetParam();
  const Spectrum spectrum = spectrum_of(row.spec, row.nodes);
  expect_prints(spectrum.spectral_gap(), row.rho);
  expect_prints(spectrum.beta(), row.beta);
  expect_prints(spectrum.gamma_plain(), row.gamma_plain);
  expect_prints(spectrum.gamma_safe(1.0), scientific(row.gamma_1));
  if (row.gamma_01 != 0.0) expect_prints(spectrum.gamma_safe(0.1), scientific(row.gamma_01));
  if (row.gamma_001 != 0.0) expect_prints(spectrum.gamma_safe(0.01), scientific(row.gamma_001));
}

INSTANTIATE_TEST_SUITE_P(
    Rows, ReferenceTable,
    ::testing::Values(
        Row{"ring", 4, fixed(0.6667, 4), fixed(1.333, 3), 2.91e-2, 2.22e-3, 2.16e-4, fixed(1.0, 3)},
        Row{"ring", 8, fixed(0.19526, 5), fixed(1.333, 3), 4.05e-3, 3.53e-4, 3.48e-5,
            fixed(1.3084, 4)},
        Row{"ring", 9, fixed(0.15597, 5), fixed(1.293, 3), 2.87e-3, 2.53e-4, 2.50e-5,
            fixed(1.3802, 4)},
        Row{"ring", 16, fixed(0.05075, 5), fixed(1.333, 3), 3.34e-4, 3.19e-5, 3.18e-6,
            fixed(1.4450, 4)},
        Row{"ring", 25, fixed(0.02094, 5), fixed(1.328, 3), 6.01e-5, 5.89e-6, 5.88e-7,
            fixed(1.4826, 4)},
        Row{"ring", 32, fixed(0.01281, 5), fixed(1.333, 3), 2.26e-5, 2.23e-6, 2.23e-7,
            fixed(1.4857, 4)},
        Row{"ring", 64, fixed(0.00321, 5), fixed(1.333, 3), 1.44e-6, 1.44e-7, 1.44e-8,
            fixed(1.4964, 4)},
        Row{"torus:3x3",
            {},
            fixed(0.6, 4),
            fixed(1.2, 3),
            2.85e-2,
            2.12e-3,
            2.07e-4,
            fixed(1.1111, 4)},
        Row{"torus:4x4",
            {},
            fixed(0.4, 4),
            fixed(1.6, 3),
            1.02e-2,
            8.64e-4,
            8.50e-5,
            fixed(1.0, 3)},
        Row{"torus:5x5",
            {},
            fixed(0.27639, 5),
            fixed(1.447, 3),
            6.46e-3,
            5.53e-4,
            5.45e-5,
            fixed(1.1604, 4)},
        Row{"torus:6x6",
            {},
            fixed(0.2, 4),
            fixed(1.6, 3),
            3.10e-3,
            2.79e-4,
            2.76e-5,
            fixed(1.1111, 4)},
        Row{"torus:8x8",
            {},
            fixed(0.11716, 5),
            fixed(1.6, 3),
            1.16e-3,
            1.09e-4,
            1.08e-5,
            fixed(1.1647, 4)},
        Row{"torus:4x8",
            {},
            fixed(0.11716, 5),
            fixed(1.6, 3),
            1.16e-3,
            1.09e-4,
            1.08e-5,
            fixed(1.1647, 4)},
        Row{"star", 8, fixed(0.125, 3), fixed(1.0, 1), 2.97e-3, 0, 0, fixed(1.778, 3)},
        Row{"star", 32, fixed(0.03125, 5), fixed(1.0, 1), 2.26e-4, 0, 0, fixed(1.939, 3)},
        Row{"hypercube", 8, fixed(0.5, 1), fixed(1.5, 1), 1.61e-2, 0, 0, fixed(1.0, 1)},
        Row{"hypercube", 16, fixed(0.4, 1), fixed(1.6, 1), 1.02e-2, 0, 0, fixed(1.0, 1)},
        Row{"hypercube", 32, fixed(0.333, 3), fixed(1.667, 3), 7.06e-3, 0, 0, fixed(1.0, 1)},
        Row{"social:weights=maxdegree",
            {},
            fixed(0.09033, 5),
            fixed(1.608, 3),
            7.07e-4,
            6.69e-5,
            6.66e-6,
            fixed(1.1774, 4)},
        Row{"social",
            {},
            fixed(0.08210, 5),
            fixed(1.434, 3),
            7.30e-4,
            6.86e-5,
            6.82e-6,
            fixed(1.3189, 4)},
        Row{"complete", 8, fixed(1.0, 6), fixed(1.0, 6), 6.67e-2, 0, 0, fixed(1.0, 1)}));

// The table prints these two with two digits only.
TEST(ReferenceTable, CompleteGraphAtSmallDelta) {
  const Spectrum spectrum = spectrum_of("complete", 8);
  EXPECT_NEAR(spectrum.gamma_safe(0.1), 4.5e-3, 0.05e-3);
  EXPECT_NEAR(spectrum.gamma_safe(0.01), 4.4e-4, 0.05e-4);
}

// Koloskova, Lin, Stich, Jaggi, ICLR 2020, Table 2: spectral gaps for n = 4, 16, 36.
TEST(Spectrum, ReproducesTheTableOfTheChocoPaper) {
  EXPECT_NEAR(spectrum_of("ring", 4).spectral_gap(), 0.67, 0.005);
  EXPECT_NEAR(spectrum_of("ring", 16).spectral_gap(), 0.05, 0.005);
  EXPECT_NEAR(spectrum_of("ring", 36).spectral_gap(), 0.01, 0.005);
  EXPECT_NEAR(spectrum_of("torus", 4).spectral_gap(), 0.67, 0.005);
  EXPECT_NEAR(spectrum_of("torus", 16).spectral_gap(), 0.4, 0.05);
  EXPECT_NEAR(spectrum_of("torus", 36).spectral_gap(), 0.2, 0.05);
}

// The formulas as the reference writes them, against the dense solver and not against our closed
// forms.
TEST(Spectrum, OfARingIsThatOfTheFormula) {
  for (const NodeId n : {4u, 5u, 8u, 9u, 64u, 101u}) {
    const Mixing dense = dense_mixing(*topology("ring", n));
    EXPECT_NEAR(dense.spectral_gap, 2.0 / 3.0 * (1.0 - std::cos(2.0 * std::numbers::pi / n)),
                1e-10);
  }
  EXPECT_NEAR(dense_mixing(*topology("ring", 3)).spectral_gap, 1.0, 1e-10);
}

TEST(Spectrum, OfATorusIsThatOfTheFormula) {
  for (const NodeId a : {3u, 4u, 5u, 7u}) {
    for (const NodeId b : {3u, 4u, 6u, 9u}) {
      const Mixing dense = dense_mixing(*topology(fmt::format("torus:{}x{}", a, b)));
      const double slow = 0.4 * (1.0 - std::cos(2.0 * std::numbers::pi / std::max(a, b)));
      EXPECT_NEAR(dense.spectral_gap, std::min(slow, 1.0 - std::abs(dense.spectrum->lambda_n())),
                  1e-10);
    }
  }
}

TEST(Spectrum, OfAStarAndAHypercubeIsThatOfTheFormula) {
  for (const NodeId n : {3u, 8u, 33u}) {
    EXPECT_NEAR(dense_mixing(*topology("star", n)).spectral_gap, 1.0 / n, 1e-10);
    EXPECT_NEAR(dense_mixing(*topology("star", n)).spectrum->beta(), 1.0, 1e-10);
  }
  for (const unsigned p : {1u, 2u, 3u, 6u}) {
    EXPECT_NEAR(dense_mixing(*topology("hypercube", NodeId{1} << p)).spectral_gap, 2.0 / (p + 1.0),
                1e-10);
  }
}

TEST(Spectrum, OfTheExponentialGraphIsThatOfTheFormulaForPowersOfTwo) {
  for (const unsigned p : {2u, 3u, 5u}) {
    const auto graph = topology("exponential", NodeId{1} << p);
    EXPECT_NEAR(mixing_of(*graph).value().spectral_gap, 2.0 / (p + 1.0), 1e-12);
    EXPECT_NEAR(dense_mixing(*graph).spectral_gap, 2.0 / (p + 1.0), 1e-10);
  }
}

TEST(Spectrum, DirectedAndChangingGraphsHaveAGapButNoSpectrum) {
  EXPECT_FALSE(mixing_of(*topology("exponential", 8)).value().spectrum.has_value());
  EXPECT_FALSE(mixing_of(*topology("one-peer-exponential", 8)).value().spectrum.has_value());
  EXPECT_EQ(mixing_of(*topology("one-peer-exponential", 8)).value().spectral_gap, 1.0);
  EXPECT_LT(mixing_of(*topology("one-peer-exponential", 7)).value().spectral_gap, 1.0);
}

TEST(Spectrum, OfOneNodeIsAGapOfOne) {
  EXPECT_EQ(mixing_of(*topology("ring", 1)).value().spectral_gap, 1.0);
  EXPECT_FALSE(mixing_of(*topology("ring", 1)).value().spectrum.has_value());
  EXPECT_EQ(dense_mixing(*topology("ring", 1)).spectral_gap, 1.0);
}

TEST(Spectrum, KeepsItsDigitsOnALargeRing) {
  const NodeId n = 100'000;
  const double expected =
      4.0 * std::pow(std::numbers::pi / n, 2) / 3.0;  // sin^2(x) = x^2 up to 4e-10 of it
  EXPECT_NEAR(spectrum_of("ring", n).spectral_gap() / expected, 1.0, 1e-9);
}

TEST(Spectrum, SafeStepGrowsWithTheQualityOfTheCompressor) {
  const Spectrum spectrum = spectrum_of("ring", 8);
  EXPECT_LT(spectrum.gamma_safe(0.01), spectrum.gamma_safe(0.1));
  EXPECT_LT(spectrum.gamma_safe(0.1), spectrum.gamma_safe(1.0));
  EXPECT_LT(spectrum.gamma_safe(1.0), spectrum.gamma_plain());
}

TEST(Spectrum, SafeStepRefusesAQualityThatNoCompressorHas) {
  const Spectrum spectrum = spectrum_of("ring", 8);
  EXPECT_THROW((void)spectrum.gamma_safe(0.0), ContractViolation);
  EXPECT_THROW((void)spectrum.gamma_safe(1.5), ContractViolation);
}

TEST(Lanczos, EqualsTheDenseSolver) {
  const GraphFile bridge("0 1\n1 2\n2 0\n2 3\n3 4\n4 5\n5 3\n");
  for (const auto& graph :
       {topology("random-regular:3", 120, 5), topology("erdos-renyi:0.1", 90, 5),
        topology("social"), topology(bridge.spec()), topology("ring", 2)}) {
    SCOPED_TRACE(graph->spec());
    const Spectrum dense = *dense_mixing(*graph).spectrum;
    const Spectrum iterative = lanczos_spectrum(*graph, 1e9).value();
    EXPECT_NEAR(iterative.one_minus_lambda2, dense.one_minus_lambda2, 1e-11);
    EXPECT_NEAR(iterative.one_minus_lambda_n, dense.one_minus_lambda_n, 1e-11);
  }
}

TEST(Lanczos, EqualsTheFormulasOnSlowAndOnDegenerateGraphs) {
  for (const auto& graph :
       {topology("chain", 500), topology("ring", 500), topology("torus", 2000),
        topology("star", 3000), topology("hypercube", 1024), topology("complete", 60)}) {
    SCOPED_TRACE(graph->spec());
    const Spectrum formula = *graph->closed_form()->spectrum;
    const Spectrum iterative = lanczos_spectrum(*graph, 1e9).value();
    EXPECT_NEAR(iterative.one_minus_lambda2 / formula.one_minus_lambda2, 1.0, 1e-8);
    EXPECT_NEAR(iterative.one_minus_lambda_n / formula.one_minus_lambda_n, 1.0, 1e-8);
  }
}

TEST(Lanczos, GivesUpRatherThanGuesses) {
  EXPECT_FALSE(lanczos_spectrum(*topology("chain", 2000), 1e5).has_value());
}

TEST(Mixing, OfALargeGraphWithoutAFormulaIsComputed) {
  const auto graph = topology("random-regular:4", 3000);
  const Spectrum spectrum = mixing_of(*graph).value().spectrum.value();
  // Alon and Boppana, Friedman: lambda2 of the adjacency comes close to 2 sqrt(3), so rho to 0.107.
  EXPECT_NEAR(spectrum.spectral_gap(), 1.0 - (1.0 + 2.0 * std::sqrt(3.0)) / 5.0, 0.01);
}

}  // namespace
}  // namespace gossamer::testing
