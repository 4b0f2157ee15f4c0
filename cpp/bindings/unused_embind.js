// Parts of Embind that these bindings do not use, replaced so that their code stays out of the glue. A binding that comes
// to use one of them has to take it off this list.
addToLibrary({
  // Embind registers every type that C++ and JavaScript could exchange. These are exchanged nowhere.
  _embind_register_bigint__deps: [],
  _embind_register_bigint(type, name, size, min, max) {},
  _embind_register_std_string__deps: [],
  _embind_register_std_string(type, name) {},
  _embind_register_std_wstring__deps: [],
  _embind_register_std_wstring(type, charSize, name) {},

  // No class has a base, so every handle is of the class that it says.
  $getInheritedInstance__deps: [],
  $getInheritedInstance() {},
  $downcastPointer__deps: [],
  $downcastPointer: (pointer) => pointer,

  // No smart pointers, which alone are finalised.
  $attachFinalizer__deps: [],
  $attachFinalizer: (handle) => handle,
  $genericPointerToWireType__deps: [],
  $genericPointerToWireType() {},

  // No overloads.
  $ensureOverloadTable__deps: [],
  $ensureOverloadTable() {},

  // The linker, which runs the registration once, has already refused types without a binding.
  $throwUnboundTypeError__deps: [],
  $throwUnboundTypeError() {},
});
