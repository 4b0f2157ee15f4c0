// Inside the glue, `Module.wasm` is not bytes but a function of the library, to which this hands the imports. The library
// instantiates: it reports what fails, where the glue would leave its promise pending.
var WebAssembly = {
  instantiate: (instantiate, imports) => ({ then: (receive) => instantiate(imports, receive) }),
};
