// Quickhull: Barber, Dobkin & Huhdanpaa, ACM Trans. Math. Softw. 22 (1996) 469: each face keeps the points
// above it, the farthest becomes a corner, and the faces that it sees give way to a fan around the edge of
// what it sees. Points within 1e-9 of the size above a face count as on it.
#include "import/hull.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <unordered_map>

namespace carom::robots {
namespace {

struct Face {
  std::array<int, 3> corner;
  Vec3 normal;
  double offset = 0;
  std::vector<int> above = {};
  bool gone = false;
};

class Quickhull {
 public:
  explicit Quickhull(const std::vector<Vec3>& all) : points(all) {}

  std::vector<Face> run() {
    if (!simplex()) return {};
    for (std::size_t k = 0; k < faces.size(); ++k)
      while (!faces[k].gone && !faces[k].above.empty()) grow(k);
    return faces;
  }

 private:
  double height(const Face& face, int point) const {
    return face.normal.dot(points[static_cast<std::size_t>(point)]) - face.offset;
  }
  const Vec3& at(int k) const { return points[static_cast<std::size_t>(k)]; }

  void add(int a, int b, int c) {
    Face face{{a, b, c}, (at(b) - at(a)).cross(at(c) - at(a)), 0};
    face.normal.normalize();
    face.offset = face.normal.dot(at(a));
    for (std::size_t e = 0; e < 3; ++e)
      face_at[edge(face.corner[e], face.corner[(e + 1) % 3])] = faces.size();
    faces.push_back(std::move(face));
  }

  template <class Measure>
  int farthest(Measure measure) const {
    int best = 0;
    double most = -1;
    for (int k = 0; k < static_cast<int>(points.size()); ++k)
      if (const double x = measure(at(k)); x > most) most = x, best = k;
    return best;
  }

  bool simplex() {
    if (points.size() < 4) return false;
    const int a = farthest([&](const Vec3& x) { return (x - at(0)).norm(); });
    const int b = farthest([&](const Vec3& x) { return (x - at(a)).norm(); });
    const double size = (at(b) - at(a)).norm();
    near = 1e-9 * size;
    const Vec3 line = (at(b) - at(a)) / (size > 0 ? size : 1);
    const int c = farthest([&](const Vec3& x) { return (x - at(a)).cross(line).norm(); });
    const Vec3 normal = (at(b) - at(a)).cross(at(c) - at(a)).normalized();
    const int d = farthest([&](const Vec3& x) { return std::abs(normal.dot(x - at(a))); });
    const double depth = normal.dot(at(d) - at(a));
    if (!(std::abs(depth) > near) || !((at(c) - at(a)).cross(line).norm() > near)) return false;
    if (depth < 0)
      add(a, b, c), add(a, d, b), add(b, d, c), add(c, d, a);
    else
      add(a, c, b), add(a, b, d), add(b, c, d), add(c, a, d);
    std::vector<int> all(points.size());
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<int>(k);
    hand_out(all, 0);
    return true;
  }

  // Each point to one of the faces from `first` on that it is above.
  void hand_out(const std::vector<int>& list, std::size_t first) {
    for (const int point : list)
      for (std::size_t k = first; k < faces.size(); ++k)
        if (height(faces[k], point) > near) {
          faces[k].above.push_back(point);
          break;
        }
  }

  static std::uint64_t edge(int from, int to) {
    return static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
  }

  void grow(std::size_t k) {
    const int top = *std::max_element(faces[k].above.begin(), faces[k].above.end(), [&](int a, int b) {
      return height(faces[k], a) < height(faces[k], b);
    });
    std::vector<std::size_t> seen = {k};
    std::vector<std::pair<int, int>> rim;
    std::vector<int> orphans;
    faces[k].gone = true;
    for (std::size_t s = 0; s < seen.size(); ++s) {
      Face& face = faces[seen[s]];
      orphans.insert(orphans.end(), face.above.begin(), face.above.end());
      face.above = {};
      for (std::size_t e = 0; e < 3; ++e) {
        const int from = face.corner[e], to = face.corner[(e + 1) % 3];
        const std::size_t beyond = face_at.at(edge(to, from));
        if (faces[beyond].gone) continue;
        if (height(faces[beyond], top) > near)
          faces[beyond].gone = true, seen.push_back(beyond);
        else
          rim.emplace_back(from, to);
      }
    }
    const std::size_t first = faces.size();
    for (const auto& [from, to] : rim) add(from, to, top);
    std::erase(orphans, top);
    hand_out(orphans, first);
  }

  const std::vector<Vec3>& points;
  std::vector<Face> faces;
  std::unordered_map<std::uint64_t, std::size_t> face_at;  // by its edges
  double near = 0;
};

}  // namespace

Hull convex_hull(const std::vector<Vec3>& points) {
  Hull r;
  std::map<int, int> number;
  for (const Face& face : Quickhull(points).run()) {
    if (face.gone) continue;
    std::array<int, 3> corner{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [known, is_new] = number.try_emplace(face.corner[k], static_cast<int>(r.points.size()));
      if (is_new) r.points.push_back(points[static_cast<std::size_t>(face.corner[k])]);
      corner[k] = known->second;
    }
    r.faces.push_back(corner);
  }
  return r;
}

Moments moments_of_triangles(const std::vector<Vec3>& points, const std::vector<std::array<int, 3>>& faces,
                             bool by_size) {
  // Tetrahedra from one point: ∫ x xᵀ = V/20 (Σ v vᵀ + s sᵀ), s = Σ v.
  const auto corner = [&](const std::array<int, 3>& face, std::size_t k) -> const Vec3& {
    return points[static_cast<std::size_t>(face[k])];
  };
  Vec3 from = points.empty() ? Vec3(Vec3::Zero()) : points[0];
  double area = 0;
  Vec3 middle = Vec3::Zero();
  for (const auto& face : faces) {
    const double own = (corner(face, 1) - corner(face, 0)).cross(corner(face, 2) - corner(face, 0)).norm();
    area += own, middle += own / 3 * (corner(face, 0) + corner(face, 1) + corner(face, 2));
  }
  if (by_size && area > 0) from = middle / area;
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const auto& face : faces) {
    Mat3 v;
    for (int k = 0; k < 3; ++k) v.col(k) = corner(face, static_cast<std::size_t>(k)) - from;
    const double signed_part = v.determinant() / 6, part = by_size ? std::abs(signed_part) : signed_part;
    const Vec3 s = v.rowwise().sum();
    volume += part, first += part / 4 * s, second += part / 20 * (v * v.transpose() + s * s.transpose());
  }
  Moments r;
  r.mass = volume;
  if (!(volume > 0)) return r;
  const Vec3 c = first / volume;
  const Mat3 about = second - volume * c * c.transpose();
  r.centre = from + c, r.inertia = about.trace() * Mat3::Identity() - about;
  return r;
}

}  // namespace carom::robots
