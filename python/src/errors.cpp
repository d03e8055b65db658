#include "errors.h"

#include <exception>

#include "sprig/error.h"

namespace nb = nanobind;

namespace sprig::python {

namespace {

// They live as long as the interpreter, as the exception classes of an extension module do.
PyObject* error_class = nullptr;
PyObject* invalid_class = nullptr;

PyObject* new_class(nb::module_& module, const char* name, const char* doc, nb::handle bases) {
    const nb::object made = nb::steal(
        PyErr_NewExceptionWithDoc((std::string("sprig.") + name).c_str(), doc, bases.ptr(), nullptr));
    if (!made.is_valid()) throw nb::python_error();
    module.attr(name) = made;
    return made.inc_ref().ptr();
}

void translate(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Error& error) {
        PyErr_SetString(error.kind() == ErrorKind::failed ? error_class : invalid_class, error.what());
    }
}

} // namespace

void add_errors(nb::module_& module) {
    error_class =
        new_class(module, "Error",
                  "The base class of Sprig's errors. As itself: the operation failed, for example because "
                  "the disk is full or another program is learning into the file.",
                  PyExc_Exception);
    const nb::tuple bases = nb::make_tuple(nb::handle(error_class), nb::handle(PyExc_ValueError));
    invalid_class =
        new_class(module, "InvalidError",
                  "An argument, image or file is invalid, or names something that does not exist.", bases);
    nb::register_exception_translator(translate);
}

} // namespace sprig::python
