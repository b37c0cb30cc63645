// A function for as long as a call lasts: refers to what it is made of, and owns and allocates nothing. With
// it a function that takes another one need not be a template. Tested in tests/unit/function_ref_test.cpp.
#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace carom {

template <class Signature>
class FunctionRef;

template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <class F>
  requires(std::is_object_v<std::remove_reference_t<F>> &&
           !std::same_as<std::remove_cvref_t<F>, FunctionRef> &&
           std::is_invocable_r_v<Result, F&, Arguments...>) FunctionRef(F&& f)
      : object(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        call([](void* o, Arguments... arguments) -> Result {
          return (*static_cast<std::add_pointer_t<F>>(o))(std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const {
    return call(object, std::forward<Arguments>(arguments)...);
  }

 private:
  void* object;
  Result (*call)(void*, Arguments...);
};

}  // namespace carom
