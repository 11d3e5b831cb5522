// The names of types, and their colours.

const COLOURS = 6;
const OTHER = COLOURS;
const UNTYPED = COLOURS + 1;

const WORDS = {
  boolean: "bool", byte: "int8_t", short: "int16_t", char: "uint16_t", int: "int32_t", long: "int64_t", float: "float", double: "double",
};

// The name of a struct, or of the value that it wraps.
function shortName(type) {
  if (type.name) {
    return type.name;
  }
  const members = type.type?.members;
  return members?.length === 1 && members[0][0] === "value" ? typeWord(members[0][2]) : "struct";
}

function typeWord(type) {
  switch (type.kind) {
    case "text": {
      const room = type.size - (type.prefix ?? 0);
      return (type.charset.startsWith("UTF-16") ? "char16_t[" + room / 2
          : type.charset.startsWith("UTF-32") ? "char32_t[" + room / 4 : "char[" + room) + "]";
    }
    case "unsigned":
      return "uint" + 8 * type.size + "_t";
    case "bits":
      return typeWord(type.declared) + " : " + type.bits;
    case "array":
      return typeWord(type.element) + "[" + type.length + "]";
    case "reference":
      return "uint" + 8 * type.size + "_t";
    case "address":
      return "void *";
    case "enum":
    case "struct":
    case "union":
      return (type.kind + " " + type.name).trim();
    default:
      return WORDS[type.kind];
  }
}

// The types with the most memory have a colour each, and the others share one.
function colourTypes() {
  const weights = new Map();
  for (let i = 0; i < all.count; i++) {
    const type = all.types[all.type[i]];
    if (type) {
      const name = shortName(type);
      const known = weights.get(name) ?? {name, count: 0, size: 0};
      known.count++;
      known.size += all.size[i];
      weights.set(name, known);
    }
  }
  const sorted = [...weights.values()].sort((a, b) => b.count - a.count || b.size - a.size);
  const colourOf = new Map(sorted.slice(0, COLOURS).map((type, colour) => [type.name, colour]));
  const ofType = all.types.map((type) => colourOf.get(shortName(type)) ?? OTHER);
  const colours = new Uint8Array(all.count);
  for (let i = 0; i < all.count; i++) {
    colours[i] = all.type[i] < 0 ? UNTYPED : ofType[all.type[i]];
  }
  return {colours, kinds: sorted};
}

const {colours, kinds} = colourTypes();
