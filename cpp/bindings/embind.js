// The JavaScript side of Embind for these bindings, in place of Embind's own. That one makes every function, class and
// type when the module starts, which takes longer than to compile the module; here a function is made when it is first
// called. It knows what the bindings use: functions, classes with one constructor and no base, enumerations, and typed
// arrays as views of the memory. A binding that uses more of Embind fails at its first call.
//
// A type has toWireType(destructors, value) and fromWireType(wire), as the invokers expect that the linker prints. It
// prints them, and the typings, by a version of Embind that is its own and runs without MINIMAL_RUNTIME: that one stays.
const embind = {
  // Every type by its number.
  $registeredTypes: {},
  $registerType__deps: ['$registeredTypes'],
  $registerType: (id, type) => {
    registeredTypes[id] = type;
  },

  $readName: (address) => {
    var name = '';
    while (HEAPU8[address]) name += String.fromCharCode(HEAPU8[address++]);
    return name;
  },

  // A function that `make` replaces at its first call.
  $defineLazily: (object, name, make) => {
    object[name] = function (...values) {
      object[name] = make();
      return object[name].apply(this, values);
    };
  },

  // The types: of what is returned, for a method of its class, of what is passed.
  $makeFunction__deps: ['$registeredTypes', '$InvokerFunctions', '$wasmTable'],
  $makeFunction: (invoker, target, typeCount, types, isMethod) => {
    var passed = Array.from(HEAPU32.subarray(types / 4, types / 4 + typeCount), (id) => registeredTypes[id]);
    var returned = passed.shift();
    var signature = (isMethod ? 't' : 'f') + (returned.isVoid ? 'f' : 't') + 'f' + 'n'.repeat(passed.length);
    var self = isMethod ? passed.shift() : null;
    // Without errors of its own and without destructors, an invoker needs no name, no thrower and no runner of them.
    return InvokerFunctions[signature](null, null, wasmTable.get(invoker), target, null, returned, self, ...passed);
  },

  _embind_register_function__deps: ['$defineLazily', '$makeFunction', '$readName'],
  _embind_register_function: (name, typeCount, types, signature, invoker, target, isAsync, isNonnullReturn) =>
    defineLazily(Module, readName(name), () => makeFunction(invoker, target, typeCount, types, false)),

  _embind_register_class__deps: ['$readName', '$registerType', '$wasmTable'],
  _embind_register_class: (
    id,
    pointerId,
    constPointerId,
    baseId,
    actualTypeSignature,
    actualType,
    upcastSignature,
    upcast,
    downcastSignature,
    downcast,
    name,
    destructorSignature,
    destructor,
  ) => {
    name = readName(name);
    var Class = class {
      constructor(...values) {
        this.pointer = Class.construct(...values);
      }
      delete() {
        wasmTable.get(destructor)(Class.toWireType(null, this));
        this.pointer = 0;
      }
      static toWireType(destructors, value) {
        if (value instanceof Class && value.pointer) return value.pointer;
        throw new TypeError(`not a ${name}, or deleted`);
      }
      // Only a constructor returns one.
      static fromWireType(pointer) {
        return pointer;
      }
    };
    Module[name] = Class;
    for (const type of [id, pointerId, constPointerId]) registerType(type, Class);
  },

  _embind_register_class_constructor__deps: ['$defineLazily', '$makeFunction', '$registeredTypes'],
  _embind_register_class_constructor: (id, typeCount, types, signature, invoker, target) =>
    defineLazily(registeredTypes[id], 'construct', () => makeFunction(invoker, target, typeCount, types, false)),

  _embind_register_class_function__deps: ['$defineLazily', '$makeFunction', '$readName', '$registeredTypes'],
  _embind_register_class_function: (
    id,
    name,
    typeCount,
    types,
    signature,
    invoker,
    target,
    isPureVirtual,
    isAsync,
    isNonnullReturn,
  ) =>
    defineLazily(registeredTypes[id].prototype, readName(name), () =>
      makeFunction(invoker, target, typeCount, types, true),
    ),

  _embind_register_enum__deps: ['$readName', '$registerType'],
  _embind_register_enum: (id, name, size, isSigned) => {
    var byName = (Module[readName(name)] = {});
    var byValue = {};
    registerType(id, {
      byName,
      byValue,
      toWireType: (destructors, member) => member.value,
      fromWireType: (wire) => byValue[wire],
    });
  },
  _embind_register_enum_value__deps: ['$readName', '$registeredTypes'],
  _embind_register_enum_value: (id, name, value) => {
    var type = registeredTypes[id];
    type.byName[readName(name)] = type.byValue[value] = { value };
  },

  _embind_register_void__deps: ['$registerType'],
  _embind_register_void: (id, name) => registerType(id, { isVoid: true }),
  _embind_register_bool__deps: ['$registerType'],
  _embind_register_bool: (id, name, trueValue, falseValue) =>
    registerType(id, { toWireType: (destructors, value) => (value ? trueValue : falseValue), fromWireType: Boolean }),
  _embind_register_float__deps: ['$registerType'],
  _embind_register_float: (id, name, size) =>
    registerType(id, { toWireType: (destructors, value) => value, fromWireType: (wire) => wire }),
  // To WebAssembly the engine itself converts.
  _embind_register_integer__deps: ['$registerType'],
  _embind_register_integer: (id, name, size, minimum, maximum) =>
    registerType(id, {
      toWireType: (destructors, value) => value,
      fromWireType: minimum === 0 ? (wire) => wire >>> 0 : (wire) => wire,
    }),

  _embind_register_memory_view__deps: ['$registerType'],
  _embind_register_memory_view: (id, index, name) =>
    registerType(id, {
      readValueFromPointer: (view) => {
        var types = [
          Int8Array,
          Uint8Array,
          Int16Array,
          Uint16Array,
          Int32Array,
          Uint32Array,
          Float32Array,
          Float64Array,
        ];
        return new types[index](HEAP8.buffer, HEAPU32[view / 4 + 1], HEAPU32[view / 4]);
      },
    }),
  _emval_take_value__deps: ['$Emval', '$registeredTypes'],
  _emval_take_value: (id, address) => Emval.toHandle(registeredTypes[id].readValueFromPointer(address)),

  // Types that these bindings exchange nowhere.
  _embind_register_bigint__deps: [],
  _embind_register_bigint: (id, name, size, minimum, maximum) => {},
  _embind_register_std_string__deps: [],
  _embind_register_std_string: (id, name) => {},
  _embind_register_std_wstring__deps: [],
  _embind_register_std_wstring: (id, charSize, name) => {},
};

const embindOfLinker = {
  // The name of a type is run-time type information, which is left out of the module.
  $getTypeName__deps: [],
  $getTypeName: (id) => `type ${id}`,
};

addToLibrary(MINIMAL_RUNTIME ? embind : embindOfLinker);
