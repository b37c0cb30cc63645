// A system as steppers take it, by value: shared with whoever made it, or, made from a reference, on loan
// from someone who keeps it longer.
#pragma once

#include <memory>

#include "carom/system/system.hpp"

namespace carom {

class SystemRef {
 public:
  template <std::derived_from<System> S>
  SystemRef(std::shared_ptr<S> shared) : pointer(std::move(shared)) {}
  SystemRef(const System& lent) : pointer(std::shared_ptr<const System>(), &lent) {}

  const System& operator*() const { return *pointer; }
  const System* operator->() const { return pointer.get(); }
  operator std::shared_ptr<const System>() const { return pointer; }

 private:
  std::shared_ptr<const System> pointer;
};

}  // namespace carom
