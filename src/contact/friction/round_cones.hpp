// min |A P - c| over P within round friction cones |P_t| <= mu P_n, three columns of A for each contact, or
// along single rays of them. As nonnegative least squares over rays: of each cone those come in that take
// most of what is left, until none takes any.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <vector>

namespace carom {

class RoundCones {
 public:
  struct Cone {
    int column;  // of A, where its three begin
    double mu;
    bool single = false;  // the ray 1, `along` alone
    std::array<double, 2> along{};
  };
  Eigen::MatrixXd A;
  Eigen::VectorXd c, P;
  std::vector<Cone> cones;

  // What is left, as a part of what there was; as soon as that is below `enough`.
  double solve(double enough);

 private:
  struct Ray {
    int column;
    std::array<double, 2> along;
  };
  void begin();
  void drop_unused();
  bool add_best();

  std::vector<Ray> rays;
  Eigen::MatrixXd columns;
  Eigen::VectorXd forces, left;
};

}  // namespace carom
