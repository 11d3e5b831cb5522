// Decodes bytes into values by the types that the image has recorded.

const SHOWN_ELEMENTS = 16;
const SHOWN_TEXT = 256;
// The limit for one value, which may be arrays of arrays.
const SHOWN_PARTS = 1000;
const NOT_HERE = "\u2026";

// The parts of an allocation that the page contains.
class Contents {
  constructor(pieces, allocationSize, struct) {
    this.allocationSize = allocationSize;
    this.struct = struct;
    this.pieces = [];
    for (let i = 0; i < pieces.length; i += 2) {
      const binary = atob(pieces[i + 1]);
      const data = Uint8Array.from(binary, (c) => c.charCodeAt(0));
      this.pieces.push({start: pieces[i], end: pieces[i] + data.length, view: new DataView(data.buffer)});
    }
  }

  get byteSize() {
    return this.pieces.reduce((sum, piece) => sum + piece.end - piece.start, 0);
  }

  // The piece that contains a range, or nothing.
  piece(start, size) {
    return this.pieces.find((piece) => piece.start <= start && start + size <= piece.end);
  }

  // The structs of which the page contains bytes, up to a limit.
  structs(size, limit) {
    const indices = [];
    for (const piece of this.pieces) {
      const end = Math.ceil(piece.end / size);
      for (let i = Math.floor(piece.start / size); i < end && indices.length < limit; i++) {
        if (indices.at(-1) !== i) {
          indices.push(i);
        }
      }
    }
    return indices;
  }
}

// The exact value of an integer of 1 to 8 bytes without a sign.
function unsigned(contents, size, little, at) {
  const piece = contents.piece(at, size);
  if (!piece) {
    return undefined;
  }
  let value = 0n;
  for (let i = 0; i < size; i++) {
    const index = little ? size - 1 - i : i;
    value = value << 8n | BigInt(piece.view.getUint8(at - piece.start + index));
  }
  return value;
}

// The exact value of an integer, or of a bit field.
function integer(contents, type, at) {
  if (type.kind === "bits") {
    const bits = unsigned(contents, type.size, type.little, at);
    return bits === undefined ? bits
      : type.signed ? BigInt.asIntN(type.bits, bits >> BigInt(type.shift)) : BigInt.asUintN(type.bits, bits >> BigInt(type.shift));
  }
  if (type.kind === "unsigned" || type.unsigned || type.kind === "char") {
    return unsigned(contents, type.size, type.little, at);
  }
  const piece = contents.piece(at, type.size);
  if (!piece) {
    return undefined;
  }
  const offset = at - piece.start;
  switch (type.size) {
    case 1:
      return BigInt(piece.view.getInt8(offset));
    case 2:
      return BigInt(piece.view.getInt16(offset, type.little));
    case 4:
      return BigInt(piece.view.getInt32(offset, type.little));
    default:
      return piece.view.getBigInt64(offset, type.little);
  }
}

function decimal(value) {
  return Object.is(value, -0) ? "-0.0" : Number.isInteger(value) && Math.abs(value) < 1e7 ? value.toFixed(1) : String(value);
}

// The fewest digits from which the same float is read, as Java prints it: 9 are always enough.
function floatText(value) {
  for (let digits = 2; digits < 9; digits++) {
    const shorter = Number(value.toPrecision(digits));
    if (Object.is(Math.fround(shorter), value)) {
      return decimal(shorter);
    }
  }
  return decimal(Object.is(value, -0) ? value : Number(value.toPrecision(9)));
}

function quoted(text) {
  return "\"" + printable(text.replace(/[\\"]/g, "\\$&")) + "\"";
}

function unitSize(type) {
  return type.charset.startsWith("UTF-16") ? 2 : type.charset.startsWith("UTF-32") ? 4 : 1;
}

function textValue(contents, type, at) {
  const unit = unitSize(type);
  const little = !type.charset.endsWith("BE");
  const units = [];
  const room = (type.size - (type.prefix ?? 0)) / unit;
  let length = room;
  if (type.prefix) {
    const stored = unsigned(contents, type.prefix, type.little, at);
    if (stored === undefined) {
      return NOT_HERE;
    }
    length = stored < BigInt(room) ? Number(stored) : room;
    at += type.prefix;
  }
  for (let i = 0; i < length && units.length < SHOWN_TEXT; i++) {
    const piece = contents.piece(at + i * unit, unit);
    if (!piece) {
      return units.length === 0 ? NOT_HERE : quoted(textOf(type, units)) + NOT_HERE;
    }
    const offset = at + i * unit - piece.start;
    const value = unit === 1 ? piece.view.getUint8(offset)
        : unit === 2 ? piece.view.getUint16(offset, little) : piece.view.getUint32(offset, little);
    if (value === 0 && !type.prefix && !type.spaces) {
      return quoted(textOf(type, units));
    }
    units.push(value);
  }
  const whole = units.length === length;
  while (type.spaces && whole && units.at(-1) === 32) {
    units.pop();
  }
  return quoted(textOf(type, units)) + (whole ? "" : NOT_HERE);
}

function textOf(type, units) {
  switch (type.charset) {
    case "UTF-8":
      return new TextDecoder("utf-8", {ignoreBOM: true}).decode(Uint8Array.from(units));
    case "US-ASCII":
      return String.fromCharCode(...units.map((unit) => unit < 128 ? unit : 0xfffd));
    case "UTF-16LE":
    case "UTF-16BE":
      return String.fromCharCode(...units);
    case "UTF-32LE":
    case "UTF-32BE":
      return String.fromCodePoint(...units.map((unit) => unit <= 0x10ffff && unit >> 11 !== 27 ? unit : 0xfffd));
    case "ISO-8859-1":
      return String.fromCharCode(...units);
    default:
      try {
        return new TextDecoder(type.charset).decode(Uint8Array.from(units));
      } catch (error) {
        return String.fromCharCode(...units.map((unit) => unit < 128 ? unit : 0xfffd));
      }
  }
}

// The integer in a member of a struct or of a nested one, by its path.
function integerAt(contents, struct, structAt, path) {
  let type = struct;
  let at = structAt;
  for (const name of path.split(".")) {
    const member = type?.members?.find((each) => each[0] === name);
    at += member?.[1] ?? 0;
    type = member?.[2];
  }
  return type && integer(contents, type, at);
}

// The members of a union to show: the valid one, or all if there is no discriminator.
function validMembers(contents, type, struct, structAt) {
  const value = type.discriminator && integerAt(contents, struct, structAt, type.discriminator);
  if (value === undefined) {
    return type.members;
  }
  // The values are signed in the type.
  const isValue = (each) => BigInt.asUintN(64, BigInt(each)) === BigInt.asUintN(64, value);
  const found = type.values.findIndex((ofMember) => ofMember.some(isValue));
  const valid = found < 0 && type.otherwise ? type.members.length - 1 : found;
  return valid < 0 ? type.members : [type.members[valid]];
}

function groupValue(contents, members, at, struct, structAt) {
  const parts = members.map(([name, offset, type]) => name + " = " + valueText(contents, type, at + offset, struct, structAt));
  return parts.length === 0 ? "{ }" : "{ " + parts.join(", ") + " }";
}

function arrayValue(contents, type, at, struct, structAt) {
  const parts = [];
  const count = type.count && integerAt(contents, struct, structAt, type.count);
  const length = count === undefined || count < 0n || count > BigInt(type.length) ? type.length : Number(count);
  const shown = type.element.size === 0 ? Math.min(1, length) : Math.min(length, SHOWN_ELEMENTS);
  for (let i = 0; i < shown && partsLeft > 0; i++) {
    parts.push(valueText(contents, type.element, at + i * type.element.size, struct, structAt));
  }
  if (parts.length < length) {
    parts.push("... " + (length - parts.length) + " more");
  }
  return "[" + parts.join(", ") + "]";
}

let partsLeft = 0;

// The value at an offset as one line of text.
function valueLine(contents, type, at, struct, structAt) {
  partsLeft = SHOWN_PARTS;
  return valueText(contents, type, at, struct, structAt);
}

function valueText(contents, type, at, struct, structAt) {
  if (partsLeft-- <= 0) {
    return NOT_HERE;
  }
  switch (type.kind) {
    case "text":
      return textValue(contents, type, at);
    case "array":
      return arrayValue(contents, type, at, struct, structAt);
    case "struct":
      return groupValue(contents, type.members, at, type, at);
    case "union":
      return groupValue(contents, validMembers(contents, type, struct, structAt), at, struct, structAt);
    case "reference":
      return referenceText(contents, type, integer(contents, type, at));
    case "float":
    case "double": {
      const piece = contents.piece(at, type.size);
      return !piece ? NOT_HERE : type.size === 4
        ? floatText(piece.view.getFloat32(at - piece.start, type.little))
        : decimal(piece.view.getFloat64(at - piece.start, type.little));
    }
    default:
      return integralText(type, integer(contents, type, at));
  }
}

// The target of a reference, as a dump shows it.
function referenceText(contents, type, value) {
  if (!value) {
    return value === undefined ? NOT_HERE : "none";
  }
  const base = type.allocation ? all.size[all.name.indexOf(type.allocation)] : contents.allocationSize;
  const at = (value - 1n) * BigInt(type.unit);
  const size = BigInt(type.targetSize);
  const text = "-> " + printable(type.allocation ?? "");
  // The base is an array of the struct if the type names it, or if the structs refer to structs among themselves.
  const isArray = type.allocation || contents.struct?.name === type.target && contents.struct.size === type.targetSize;
  const isElement = isArray && at % size === 0n;
  const isOutside = base !== undefined && at + size > BigInt(base);
  return isOutside ? text + (isElement ? "[" + at / size + "]" : "+0x" + at.toString(16)) + " (out of bounds)"
    : at % BigInt(type.targetAlignment) !== 0n ? text + "+0x" + at.toString(16) + " (misaligned)"
    : isElement ? text + "[" + at / size + "]"
    : text + "+0x" + at.toString(16) + (isArray ? " (within [" + at / size + "])" : "");
}

function integralText(type, value) {
  if (value === undefined) {
    return NOT_HERE;
  }
  switch (type.kind) {
    case "boolean":
      return value === 0n ? "false" : value === 1n ? "true" : "true (" + BigInt.asUintN(8, value) + ")";
    case "char": {
      const unit = Number(BigInt.asUintN(16, value));
      return "'" + printable(String.fromCharCode(unit)) + "'";
    }
    case "enum":
      return type.constants[value.toString()] ?? (type.otherwise ? type.otherwise + "(" + value + ")" : value.toString());
    case "bits":
      return integralText(type.declared, value);
    case "address":
      return "0x" + BigInt.asUintN(64, value).toString(16);
    default:
      return value.toString();
  }
}
