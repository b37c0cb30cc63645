#include "import/mesh_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <unordered_map>

#include "import/xml.hpp"
#include "scenario/scenario_text.hpp"

namespace carom::robots {
namespace {

constexpr std::size_t most_points = 2'000'000;

class MeshReader {
 public:
  MeshReader(std::string file, std::string asked_by) : path(std::move(file)), place(std::move(asked_by)) {}

  Mesh read() {
    std::string end = std::filesystem::path(path).extension().string();
    std::transform(end.begin(), end.end(), end.begin(), [](unsigned char c) { return std::tolower(c); });
    if (end != ".obj" && end != ".stl") fail("is of a kind that is not read; .obj and .stl are");
    const std::string text = read_bytes(path, most_mesh_bytes, place);
    if (end == ".obj")
      obj(text);
    else if (is_binary_stl(text))
      binary_stl(text);
    else
      text_stl(text);
    if (mesh.points.size() < 4) fail("has fewer than four points");
    return std::move(mesh);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { refuse(place, detail::quoted(path) + " " + why); }

  int point(const Vec3& x) {
    if (!x.allFinite()) fail("has a number that is not finite");
    const Vec3 plain = x + Vec3::Zero();  // -0 is 0
    const std::string bytes(reinterpret_cast<const char*>(plain.data()), sizeof(double) * 3);
    const auto [known, is_new] = index.try_emplace(bytes, static_cast<int>(mesh.points.size()));
    if (is_new) mesh.points.push_back(x);
    if (mesh.points.size() > most_points) fail("has more than two million points");
    return known->second;
  }

  // Words that are no numbers end the line: textures and the like follow.
  static std::vector<double> numbers_of(const char* at) {
    std::vector<double> r;
    for (char* end = nullptr;; at = end) {
      while (*at == ' ' || *at == '\t') ++at;
      if (*at == '\n' || *at == '\r' || *at == '\0') return r;
      const double x = std::strtod(at, &end);
      if (end == at) return r;
      r.push_back(x);
      while (*end == '/' || (*end >= '0' && *end <= '9')) ++end;  // "3/5/7": the first is the corner
    }
  }

  void obj(const std::string& text) {
    std::vector<int> named;
    for (std::size_t at = 0; at < text.size();
         at = text.find('\n', at), at += at == std::string::npos ? 0 : 1) {
      while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
      const bool spaced = at + 1 < text.size() && (text[at + 1] == ' ' || text[at + 1] == '\t');
      if (spaced && text[at] == 'v') {
        const auto x = numbers_of(text.data() + at + 1);
        if (x.size() < 3) fail("has a corner that is not three numbers");
        named.push_back(point(Vec3(x[0], x[1], x[2])));
      } else if (spaced && text[at] == 'f') {
        std::vector<int> corners;
        for (double k : numbers_of(text.data() + at + 1)) {
          if (k < 0) k += static_cast<double>(named.size()) + 1;
          if (!(k >= 1 && k <= static_cast<double>(named.size())))
            fail("has a face with a corner that is not there");
          corners.push_back(named[static_cast<std::size_t>(k - 1)]);
        }
        for (std::size_t k = 2; k < corners.size(); ++k)
          mesh.faces.push_back({corners[0], corners[k - 1], corners[k]});
      }
      if (text.find('\n', at) == std::string::npos) break;
    }
  }

  static std::uint32_t triangles_of(const std::string& text) {
    std::uint32_t count = 0;
    std::memcpy(&count, text.data() + 80, 4);
    return count;
  }
  static bool is_binary_stl(const std::string& text) {
    if (text.size() < 84) return false;
    return text.size() == 84 + 50ull * triangles_of(text) || !text.starts_with("solid");
  }
  void binary_stl(const std::string& text) {
    const std::uint32_t count = triangles_of(text);
    if (text.size() < 84 + 50ull * count) fail("breaks off");
    for (std::uint32_t k = 0; k < count; ++k) {
      std::array<float, 9> x{};
      std::memcpy(x.data(), text.data() + 84 + 50ull * k + 12, sizeof x);
      std::array<int, 3> face{};
      for (std::size_t c = 0; c < 3; ++c)
        face[c] = point(Vec3(static_cast<double>(x[3 * c]), static_cast<double>(x[3 * c + 1]),
                             static_cast<double>(x[3 * c + 2])));
      mesh.faces.push_back(face);
    }
  }
  void text_stl(const std::string& text) {
    std::istringstream words(text);
    std::string word;
    std::vector<int> corners;
    while (words >> word) {
      if (word != "vertex") continue;
      Vec3 x;
      if (!(words >> x.x() >> x.y() >> x.z())) fail("has a corner that is not three numbers");
      corners.push_back(point(x));
      if (corners.size() == 3) mesh.faces.push_back({corners[0], corners[1], corners[2]}), corners.clear();
    }
  }

  std::string path, place;
  Mesh mesh;
  std::unordered_map<std::string, int> index;  // by their bytes
};

}  // namespace

Mesh read_mesh(const std::string& path, const std::string& place) { return MeshReader(path, place).read(); }

}  // namespace carom::robots
