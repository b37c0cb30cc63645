// One number per contact or joint that acts: how many there are changes from step to step. Eigen's vectors
// let go of their memory with every change of size; these keep it, so that steps allocate nothing once they
// have seen the largest. An expression of Eigen's otherwise.
#pragma once

#include <utility>
#include <vector>

#include "carom/numerics/vector.hpp"

namespace carom {

class ChangingValues : public Eigen::Map<Vector<double, Eigen::Dynamic>> {
  using Base = Eigen::Map<Vector<double, Eigen::Dynamic>>;

 public:
  ChangingValues() : Base(nullptr, 0) {}
  ChangingValues(const ChangingValues& other) : ChangingValues() { *this = other; }
  ChangingValues(ChangingValues&& other) noexcept : ChangingValues() { swap(other); }
  template <class Expression>
  ChangingValues(const Eigen::DenseBase<Expression>& other) : ChangingValues() {
    *this = other;
  }
  ~ChangingValues() = default;

  ChangingValues& operator=(const ChangingValues& other) {
    resize(other.size());
    Base::operator=(other);
    return *this;
  }
  ChangingValues& operator=(ChangingValues&& other) noexcept {
    swap(other);
    return *this;
  }
  // Not of itself, where that changes the size.
  template <class Expression>
  ChangingValues& operator=(const Eigen::DenseBase<Expression>& other) {
    resize(other.size());
    Base::operator=(other);
    return *this;
  }

  void resize(Eigen::Index n) {
    if (n == size()) return;
    memory.resize(static_cast<std::size_t>(n));
    look_at_memory();
  }
  using Base::setZero;
  void setZero(Eigen::Index n) {
    resize(n);
    setZero();
  }
  void swap(ChangingValues& other) noexcept {
    memory.swap(other.memory);
    look_at_memory(), other.look_at_memory();
  }
  friend void swap(ChangingValues& a, ChangingValues& b) noexcept { a.swap(b); }

 private:
  // How Eigen's documentation lets a map look somewhere else.
  void look_at_memory() noexcept {
    new (static_cast<Base*>(this)) Base(memory.data(), static_cast<Eigen::Index>(memory.size()));
  }

  std::vector<double> memory;
};

}  // namespace carom
