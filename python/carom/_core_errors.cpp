// The core's complaints as exceptions of carom.errors, with the key and the value that are to blame.
#include "_core.hpp"

#include "carom/system/validate.hpp"
#include "files/files.hpp"
#include "records/run_folder.hpp"

namespace carom::python {
namespace {

void raise(const char* type, const char* what, const std::string& key, const std::string& value,
           const std::string& why) {
  const py::object made = py::module_::import("carom.errors").attr(type)(what, key, value, why);
  PyErr_SetObject(py::type::handle_of(made).ptr(), made.ptr());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const ScenarioError& e) {
    raise("ScenarioError", e.what(), e.key, e.value, e.why);
  } catch (const InvalidInput& e) {
    raise("ScenarioError", e.what(), e.field, e.value, e.why);
  } catch (const RecordError& e) {
    raise("RecordError", e.what(), "", "", "");
  } catch (const FolderError& e) {
    raise("FolderError", e.what(), "", "", "");
  } catch (const FileError& e) {
    raise("FolderError", e.what(), "", "", "");
  }
}

}  // namespace

void bind_errors(py::module_&) { py::register_exception_translator(translate); }

}  // namespace carom::python
