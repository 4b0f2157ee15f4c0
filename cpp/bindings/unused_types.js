// Embind registers every type that C++ and JavaScript could exchange, and so brings the code of each into the glue. These
// are exchanged nowhere: registering them does nothing.
addToLibrary({
  _embind_register_bigint__deps: [],
  _embind_register_bigint(type, name, size, min, max) {},

  _embind_register_std_string__deps: [],
  _embind_register_std_string(type, name) {},

  _embind_register_std_wstring__deps: [],
  _embind_register_std_wstring(type, charSize, name) {},
});
