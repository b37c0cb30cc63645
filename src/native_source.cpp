#include <fmt/format.h>

#include "formula/print.hpp"
#include "native.hpp"
#include "scenario_text.hpp"
#include "system_expressions.hpp"

namespace carom {
namespace {

class SourceWriter {
 public:
  explicit SourceWriter(const Scenario& scenario) : e(scenario), n(e.names.dim()) {
    for (int i = 0; i < n; ++i) inputs.push_back(fmt::format("q[{}]", i));
    for (int i = 0; i < n; ++i) inputs.push_back(fmt::format("v[{}]", i));
    inputs.push_back("t");
    for (std::size_t k = 0; k < e.names.multipliers().size(); ++k)
      inputs.push_back(fmt::format("psi[{}]", k));
  }

  std::string write() const {
    return fmt::format(R"(#include "make_model.hpp"
#include "native.hpp"

namespace carom {{
namespace {{

struct Compiled {{
  static constexpr int dim = {0};
  static constexpr std::array<const char*, {0}> coordinate_names{{{1}}};
  static constexpr std::array<const char*, {2}> gap_names{{{3}}};
{4}{5}{6}{7}{8}{9}}};

}}  // namespace
}}  // namespace carom

extern "C" void carom_native(carom::NativeRunner* runner) {{
  using namespace carom;
  *runner = {{[](const Scenario& s) {{ detail::check_any(Compiled(), s); }},
             [](const Scenario& s, const Method& m, const RunHooks& h) {{
               return detail::run_any(Compiled(), s, m, h);
             }}}};
}}
)",
                       n, quoted(e.names.coordinates()), e.gaps.size(), quoted(e.gap_names), lagrangian(),
                       gaps(), joints(), force(), friction(), momenta());
  }

 private:
  static std::string quoted(const std::vector<std::string>& names) {
    std::string r;
    for (const auto& name : names) r += (r.empty() ? "" : ", ") + detail::quoted(name);
    return r;
  }
  std::string text(const Nodes& nodes, const std::string& pattern) const {
    std::vector<std::string> outputs;
    for (std::size_t i = 0; i < nodes.size(); ++i) outputs.push_back(fmt::format(fmt::runtime(pattern), i));
    return formula::to_cpp(e.names.expressions, nodes, inputs, outputs);
  }
  std::string function(const std::string& head, const std::string& body, const std::string& result) const {
    return fmt::format("  template <class S>\n  {} const {{\n{}    return {};\n  }}\n", head, body, result);
  }
  std::string matrix(const Nodes& nodes, const char* scalar) const {
    std::vector<std::string> outputs;
    for (int k = 0; k < n * n; ++k) outputs.push_back(fmt::format("M({}, {})", k / n, k % n));
    return fmt::format("    Matrix<{}, {}> M;\n", scalar, n) +
           formula::to_cpp(e.names.expressions, nodes, inputs, outputs);
  }

  // mass and potential where L splits, L itself otherwise.
  std::string lagrangian() const {
    const std::string vector = fmt::format("const Vector<S, {}>&", n);
    if (!e.split)
      return function(fmt::format("S lagrangian({0} q, {0} v)", vector), text({e.L}, "const S L"), "L");
    const std::string potential =
        function(fmt::format("S potential({} q)", vector), text({e.V}, "const S V"), "V");
    if (e.constant_mass)
      return fmt::format("  Matrix<double, {}> mass() const {{\n{}    return M;\n  }}\n", n,
                         matrix(e.Lvv, "double")) +
             potential;
    return function(fmt::format("Matrix<S, {}> mass({} q)", n, vector), matrix(e.Lvv, "S"), "M") + potential;
  }

  std::string gaps() const {
    const std::string rows =
        e.gaps.empty() ? "Eigen::Dynamic, 1, 0, 1" : fmt::format("{0}, 1, 0, {0}", e.gaps.size());
    return function(
        fmt::format("Eigen::Matrix<S, {}, 1> gaps(const Vector<S, {}>& q)", rows, n),
        fmt::format("    Eigen::Matrix<S, {}, 1> g({});\n", rows, e.gaps.size()) + text(e.gaps, "g[{}]"),
        "g");
  }

  std::string joints() const {
    if (e.joints.empty()) return "";
    const auto k = e.joints.size();
    return fmt::format("  static constexpr std::array<const char*, {}> joint_names{{{}}};\n", k,
                       quoted(e.joint_names)) +
           function(fmt::format("Vector<S, {}> joints(const Vector<S, {}>& q)", k, n),
                    fmt::format("    Vector<S, {}> f;\n", k) + text(e.joints, "f[{}]"), "f");
  }

  std::string force() const {
    if (e.force.empty()) return "";
    return function(
        fmt::format("Vector<S, {0}> force(const S& t, const Vector<S, {0}>& q, const Vector<S, {0}>& v)", n),
        fmt::format("    Vector<S, {}> f;\n", n) + text(e.force, "f[{}]"), "f");
  }

  std::string friction() const {
    if (e.friction.empty()) return "";
    return function(
        fmt::format(
            "Vector<S, {0}> friction(const Vector<S, {0}>& q, const Vector<S, {0}>& v, const auto& psi)", n),
        fmt::format("    Vector<S, {}> f;\n", n) + text(e.friction, "f[{}]"), "f");
  }

  std::string momenta() const {
    if (e.momenta.empty()) return "";
    std::string calls;
    for (std::size_t i = 0; i < e.momenta.size(); ++i)
      calls += fmt::format("    f({}, value{});\n", detail::quoted(e.momentum_names[i]), i);
    return fmt::format(
        "  void momenta(const Vector<double, {0}>& q, const Vector<double, {0}>& p, auto&& f) const {{\n"
        "    using S = double;\n    const Vector<double, {0}> v = velocity(*this, q, p).x;\n{1}{2}  }}\n",
        n, text(e.momenta, "const S value{}"), calls);
  }

  SystemExpressions e;
  int n;
  std::vector<std::string> inputs;
};

}  // namespace

std::string native_source(const Scenario& scenario) {
  if (scenario.system.is_dae())
    scenario.reject("system.name", "\"dae\"",
                    "--native compiles mechanical systems, with name = \"expression\"; run it without");
  return SourceWriter(scenario).write();
}

}  // namespace carom
