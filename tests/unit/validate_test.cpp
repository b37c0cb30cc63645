// Bad input is refused by the name of the field, its value, and a reason; what is on the edge is let in.
#include <gtest/gtest.h>

#include <limits>
#include <type_traits>

#include "carom/systems.hpp"
#include "support/system_cases.hpp"

namespace carom::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();

// What `act` was refused with; an empty field where it was not.
template <class Act>
InvalidInput refusal(Act&& act) {
  try {
    act();
  } catch (const InvalidInput& error) {
    return error;
  }
  return {"", "", "not refused"};
}
template <SystemStruct Sys>
InvalidInput refusal_by_start(const Sys& system, const Start<Sys::dim>& start) {
  return refusal([&] {
    validate_parameters(system);
    validated_state(*as_system(system), any_size(start));
  });
}
template <SystemStruct Sys>
InvalidInput refusal_by_start(const Sys& system) {
  return refusal_by_start(system, system.start());
}

void expect_refused(const InvalidInput& error, const std::string& field, const std::string& value,
                    const std::string& why) {
  EXPECT_EQ(error.field, field);
  EXPECT_EQ(error.value, value);
  EXPECT_EQ(error.why, why);
  EXPECT_EQ(error.what(), field + " = " + value + ": " + why);
}

TEST(Validate, ParametersThatAreNotFinite) {
  expect_refused(refusal_by_start(PointMass{.m = nan}), "parameters.m", "nan", "must be finite");
  expect_refused(refusal_by_start(Particle{.g = inf}), "parameters.g", "inf", "must be finite");
  expect_refused(refusal_by_start(CartPendulum{.L = -inf}), "parameters.L", "-inf", "must be finite");
  expect_refused(refusal_by_start(DoublePendulum{.wall = nan}), "parameters.wall", "nan", "must be finite");
}
TEST(Validate, ParametersOutOfRange) {
  expect_refused(refusal_by_start(PointMass{.m = 0}), "parameters.m", "0", "must be greater than 0");
  expect_refused(refusal_by_start(DoublePendulum{.m2 = -1.5}), "parameters.m2", "-1.5",
                 "must be greater than 0");
  expect_refused(refusal_by_start(Billiard{.b = -1e-30}), "parameters.b", "-1e-30", "must be greater than 0");
  expect_refused(refusal_by_start(Star{.kappa = -0.25}), "parameters.kappa", "-0.25", "must not be negative");
}
TEST(Validate, ParametersOnTheEdgeOfTheirRange) {
  EXPECT_EQ(refusal_by_start(Star{.kappa = 0}).field, "");
  EXPECT_EQ(refusal_by_start(PointMass{.m = 1e-300}).field, "");
  EXPECT_EQ(refusal_by_start(Particle{.g = -9.81}).field, "");
  EXPECT_EQ(refusal_by_start(DoublePendulum{.wall = -1e6}).field, "");
}
TEST(Validate, ParametersAloneAndByName) {
  EXPECT_NO_THROW(validate_parameters(DoublePendulum{}));
  expect_refused(refusal([] { validate_parameters(DoublePendulum{.L1 = 0}); }), "parameters.L1", "0",
                 "must be greater than 0");
  EXPECT_NO_THROW(validate_parameter("x", -1e300, Range::any));
  EXPECT_NO_THROW(validate_parameter("x", 0, Range::not_negative));
  expect_refused(refusal([] { validate_parameter("x", -1.23456789012, Range::not_negative); }),
                 "parameters.x", "-1.23456789", "must not be negative");
}
TEST(Validate, IsAnInvalidArgument) {
  static_assert(std::is_base_of_v<std::invalid_argument, InvalidInput>);
  EXPECT_THROW(validate_parameters(PointMass{.m = -1}), std::invalid_argument);
}

TEST(Validate, CoordinatesThatAreNotFinite) {
  const DoublePendulum system;
  const Vector<double, 2> good(0.5, 0.6);
  expect_refused(refusal_by_start(system, {{0.5, nan}, good, {}}), "initial.q", "[0.5, nan]",
                 "must be finite");
  expect_refused(refusal_by_start(system, {good, Vector<double, 2>(inf, 0), {}}), "initial.v", "[inf, 0]",
                 "must be finite");
  expect_refused(refusal_by_start(system, {good, {}, Vector<double, 2>(0, -inf)}), "initial.p", "[0, -inf]",
                 "must be finite");
}

TEST(Validate, VelocitiesOrMomentaAndNotBoth) {
  const Particle system;
  const Vector<double, 2> q(0, 1), v(1, 0);
  const std::string why = "must give velocities or momenta, one of the two";
  expect_refused(refusal_by_start(system, {q, v, v}), "initial", "v and p", why);
  expect_refused(refusal_by_start(system, {q, {}, {}}), "initial", "neither v nor p", why);
}

TEST(Validate, GivesTheStateOfAStart) {
  const auto system = as_system(Particle{.m = 2});
  const Values q = Vector<double, 2>(0, 1), v = Vector<double, 2>(3, -1);
  const auto from_v = validated_state(*system, {q, v, {}});
  EXPECT_EQ(from_v.q, q);
  EXPECT_EQ(from_v.p, 2 * v);
  EXPECT_EQ(validated_state(*system, {q, {}, v}).p, v);
}

// Masses on a line, as many as the user likes.
struct Chain {
  static constexpr int dim = Eigen::Dynamic;
  int count = 3;
  int dimension() const { return count; }
  template <class S>
  S lagrangian(const Vector<S, dim>& q, const Vector<S, dim>& v) const {
    return 0.5 * v.squaredNorm() - 0.5 * q.squaredNorm();
  }
};
TEST(Validate, SizesKnownAtRunTime) {
  const Chain system{3};
  const Vector<double, Eigen::Dynamic> two = Eigen::Vector2d(1, 2), three = Eigen::Vector3d(1, 2, 3), none(0);
  const std::string why = "must have 3 entries, one per coordinate";
  EXPECT_EQ(refusal_by_start(system, {three, three, {}}).field, "");
  expect_refused(refusal_by_start(system, {two, three, {}}), "initial.q", "[1, 2]", why);
  expect_refused(refusal_by_start(system, {none, three, {}}), "initial.q", "[]", why);
  expect_refused(refusal_by_start(system, {three, two, {}}), "initial.v", "[1, 2]", why);
  expect_refused(refusal_by_start(system, {three, {}, two}), "initial.p", "[1, 2]", why);
}

TEST(Validate, AStartBehindAContactNamesIt) {
  const Vector<double, 2> rest(0, 0);
  expect_refused(refusal_by_start(Particle{}, {{3, -0.5}, rest, {}}), "initial.q", "[3, -0.5]",
                 "lies behind the contact \"floor\": its gap is -0.5");
  expect_refused(refusal_by_start(DoublePendulum{}, {{-1, 0}, rest, {}}), "initial.q", "[-1, 0]",
                 "lies behind the contact \"wall\": its gap is -1.43294197");
  expect_refused(refusal_by_start(Billiard{}, {{0, 2}, rest, {}}), "initial.q", "[0, 2]",
                 "lies behind the contact \"ellipse\": its gap is -3");
  const auto star = refusal_by_start(Star{}, {{0, 0.6, 0.7}, Vector<double, 3>(0, 0, 0), {}});
  EXPECT_EQ(star.field, "initial.q");
  EXPECT_NE(star.why.find("\"vertex 3\""), std::string::npos) << star.why;
}

// Contacts without names are counted from one.
struct Corridor {
  static constexpr int dim = 1;
  Matrix<double, 1> mass() const { return Matrix<double, 1>(1.0); }
  template <class S>
  S potential(const Vector<S, 1>&) const {
    return S(0.0);
  }
  template <class S>
  Vector<S, 2> gaps(const Vector<S, 1>& q) const {
    return {q[0], 1 - q[0]};
  }
};
TEST(Validate, ContactsWithoutNamesAreCounted) {
  const Vector<double, 1> rest(0.0);
  expect_refused(refusal_by_start(Corridor{}, {Vector<double, 1>(1.5), rest, {}}), "initial.q", "[1.5]",
                 "lies behind the contact \"contact 2\": its gap is -0.5");
  EXPECT_EQ(refusal_by_start(Corridor{}, {Vector<double, 1>(1.0), rest, {}}).field, "");
}

TEST(Validate, AStartOnTheWallIsAdmissible) {
  const auto at_height = [](double x, double y) {
    return refusal_by_start(Particle{}, {{x, y}, Vector<double, 2>(0, 0), {}}).field;
  };
  EXPECT_EQ(at_height(0, 0), "");
  EXPECT_EQ(at_height(1e6, 0), "");
  EXPECT_EQ(at_height(1e6, -1e-12), "initial.q");  // x is nothing to the floor
  const DoublePendulum hanging{.wall = 0};
  EXPECT_EQ(refusal_by_start(hanging, {{0, 0}, Vector<double, 2>(1, 1), {}}).field, "");
}

// Behind a wall is what exceeds 1e-9 of the numbers that the gap adds up, in any units.
TEST(Validate, AStartOnTheWallIsAdmissibleToRounding) {
  for (const double unit : {1.0, 1e-9, 1e9}) {
    const auto wall_at = [unit](double x) {
      const auto rod = DoublePendulum{.L1 = unit, .L2 = unit, .wall = x * unit};
      return refusal_by_start(rod, {{0.5, 0}, Vector<double, 2>(0, 0), {}}).field;
    };
    const double reach = 2 * std::sin(0.5);
    EXPECT_EQ(wall_at(reach), "") << unit;
    EXPECT_EQ(wall_at(reach + 1e-10), "") << unit;
    EXPECT_EQ(wall_at(reach + 1e-8), "initial.q") << unit;
  }
}

// A bead whose effective mass 1 - q² vanishes at q = 1.
struct VanishingMass {
  static constexpr int dim = 1;
  template <class S>
  Matrix<S, 1> mass(const Vector<S, 1>& q) const {
    return Matrix<S, 1>(1 - q[0] * q[0]);
  }
  template <class S>
  S potential(const Vector<S, 1>& q) const {
    return q[0];
  }
};
struct Indefinite {
  static constexpr int dim = 2;
  template <class S>
  S lagrangian(const Vector<S, 2>& q, const Vector<S, 2>& v) const {
    return 0.5 * v[0] * v[0] + 2 * v[0] * v[1] + 0.5 * v[1] * v[1] - q.squaredNorm();
  }
};
TEST(Validate, TheMassMustBePositiveDefinite) {
  const Vector<double, 1> v(1.0);
  EXPECT_EQ(refusal_by_start(VanishingMass{}, {Vector<double, 1>(0.5), v, {}}).field, "");
  expect_refused(refusal_by_start(VanishingMass{}, {Vector<double, 1>(1.0), v, {}}), "mass", "[0]",
                 "the mass matrix at q = [1] is not positive definite");
  expect_refused(refusal_by_start(VanishingMass{}, {Vector<double, 1>(2.0), v, {}}), "mass", "[-3]",
                 "the mass matrix at q = [2] is not positive definite");
  expect_refused(refusal_by_start(Indefinite{}, {{0, 0}, {}, Vector<double, 2>(1, 0)}), "mass",
                 "[1, 2, 2, 1]", "the mass matrix at q = [0, 0] is not positive definite");
  EXPECT_EQ(refusal_by_start(VanishingMass{}, {Vector<double, 1>(-0.9), v, {}}).field, "");
  EXPECT_EQ(refusal_by_start(VanishingMass{}, {Vector<double, 1>(-1.1), v, {}}).field, "mass");
}

// V = log q, defined for q > 0 only.
struct HalfLine {
  static constexpr int dim = 1;
  Matrix<double, 1> mass() const { return Matrix<double, 1>(1.0); }
  template <class S>
  S potential(const Vector<S, 1>& q) const {
    return log(q[0]);
  }
};
TEST(Validate, TheEnergyMustBeFinite) {
  const std::string why = "the energy at the start is not finite";
  expect_refused(refusal_by_start(PointMass{.m = 1e200, .g = 1e200}), "initial", "H = inf", why);
  const Vector<double, 1> v(0.0);
  EXPECT_EQ(refusal_by_start(HalfLine{}, {Vector<double, 1>(0.5), v, {}}).field, "");
  expect_refused(refusal_by_start(HalfLine{}, {Vector<double, 1>(0.0), v, {}}), "initial", "H = -inf", why);
  EXPECT_EQ(refusal_by_start(HalfLine{}, {Vector<double, 1>(-1.0), v, {}}).why, why);
}
TEST(Validate, TheSignOfAnUndefinedNumberIsNotShown) {
  const auto error = refusal_by_start(HalfLine{}, {Vector<double, 1>(-1.0), Vector<double, 1>(0.0), {}});
  EXPECT_EQ(error.value, "H = nan");
}

}  // namespace
}  // namespace carom::test
