// Bytes in hexadecimal in the form of hexdump -C, with the fields that begin in each line.

const KNOWN_FIELDS = 2000;
const NAMED_FIELDS = 4;

// The number of bytes that fit into a line.
function lineSize() {
  return window.innerWidth < 700 ? 8 : 16;
}

// The fields of a struct: the smallest named parts. An array of numbers is one field, and so is a union.
function fieldsOf(struct) {
  const fields = [];
  fields.visited = 0;
  collectFields(struct, 0, "", fields);
  return fields;
}

function collectFields(type, at, path, fields) {
  if (fields.visited++ >= KNOWN_FIELDS || type.size === 0) {
    return;
  }
  if (type.kind === "struct") {
    for (const [name, offset, member] of type.members) {
      collectFields(member, at + offset, path === "" ? name : path + "." + name, fields);
    }
  } else if (type.kind === "array" && (type.element.kind === "struct" || type.element.kind === "array")) {
    for (let i = 0; i < type.length && fields.visited < KNOWN_FIELDS; i++) {
      collectFields(type.element, at + i * type.element.size, path + "[" + i + "]", fields);
    }
  } else {
    fields.push({path, start: at, end: at + type.size, type});
  }
}

// The fields with bytes in a line, with their numbers, which distinguish adjacent fields.
function fieldsIn(fields, structSize, start, end) {
  const found = [];
  if (!fields || structSize === 0) {
    return found;
  }
  for (let struct = Math.floor(start / structSize); struct * structSize < end; struct++) {
    const base = struct * structSize;
    fields.forEach((field, number) => {
      if (base + field.start < end && base + field.end > start) {
        found.push({path: "[" + struct + "]." + field.path, start: base + field.start, end: base + field.end, number});
      }
    });
  }
  return found;
}

function noteOf(found, start) {
  const begun = found.filter((field) => field.start >= start);
  const names = (begun.length > 0 ? begun : found.slice(0, 1)).map((field) => field.path);
  return names.length <= NAMED_FIELDS
    ? names.join(", ")
    : names.slice(0, NAMED_FIELDS - 1).join(", ") + " .. " + names.at(-1);
}

// One line: offset, bytes, text, note. The bytes of a field have one tint, which differs from the next one.
function hexLine(piece, start, size, width, fields, structSize) {
  const end = Math.min(piece.end, start + size);
  const found = fieldsIn(fields, structSize, start, end);
  const line = element("div", "line", element("span", "at", start.toString(16).padStart(width, "0")));
  const cells = element("span", "bytes");
  let run = "";
  let tint = "";
  let text = "";
  const flush = () => {
    if (run !== "") {
      cells.append(tint === "" ? run : element("span", tint, run));
      run = "";
    }
  };
  for (let i = 0; i < size; i++) {
    const at = start + i;
    const inside = at >= piece.start && at < end;
    const field = inside && found.find((each) => each.start <= at && at < each.end);
    const next = !inside || !fields ? "" : !field ? "padding" : field.number % 2 === 0 ? "even" : "odd";
    if (next !== tint) {
      flush();
      tint = next;
    }
    const value = inside ? piece.view.getUint8(at - piece.start) : -1;
    run += (i === 8 ? " " : "") + (inside ? value.toString(16).padStart(2, "0") : "  ") + (i < size - 1 ? " " : "");
    text += !inside ? " " : value >= 0x20 && value < 0x7f ? String.fromCharCode(value) : ".";
  }
  flush();
  line.append(cells, element("span", "ascii", "|" + text.trimEnd() + "|"), element("span", "names", noteOf(found, start)));
  return line;
}

// All lines that the page contains, as {piece, start}, with a gap where lines are missing.
function hexLines(contents, size) {
  const lines = [];
  let end = 0;
  for (const piece of contents.pieces) {
    for (let start = Math.floor(piece.start / size) * size; start < piece.end; start += size) {
      lines.push({piece, start, gap: start > end ? start - end : 0});
      end = start + size;
    }
  }
  return lines;
}
