// The details of one allocation: its properties, structs and bytes.

const STRUCTS_A_PAGE = 12;
const LINES_A_PAGE = 32;
const COLUMNS = 16;
const LISTED_STRUCTS = 20000;
const MEMBERS = 120;

function showDetails(i) {
  byId("details-title").replaceChildren(element("bdi", "", printable(label(i))));
  byId("close").hidden = false;
  const type = all.types[all.type[i]];
  const contents = new Contents(all.contents[i] ?? [], all.size[i], all.types[all.type[i]]);
  const body = [facts(i, type)];
  if (isDamaged(i)) {
    body.push(element("p", "warning", damage(i)));
  }
  if (type?.text) {
    const text = type.text.replace(/^#[^\n]*\n\s*/, "");
    body.push(element("details", "declaration", element("summary", "", "Declaration of the type"), element("pre", "", printable(text.trimEnd()).replaceAll("\\u000a", "\n"))));
  }
  if (contents.byteSize > 0) {
    if (type?.type && type.size > 0) {
      body.push(structsOf(i, type, contents));
    }
    body.push(bytesOf(i, type, contents));
  } else {
    body.push(element("p", "note", absence(i)));
  }
  if (contents.byteSize < writtenSize(i) && all.state[i] === LIVE) {
    body.push(remainder(i, type, contents));
  }
  byId("details-body").replaceChildren(...body);
  byId("details-body").scrollTop = 0;
}

function hideDetails() {
  byId("details-title").textContent = "Nothing selected";
  byId("close").hidden = true;
  byId("details-body").replaceChildren(element("p", "note", "Click an allocation in the map or the list to see its facts, its fields and its bytes."));
}

function facts(i, type) {
  const file = all.file[i];
  const list = element("dl", "facts");
  const state = all.state[i] === LIVE ? "live" : STATES[all.state[i]];
  list.append(
    ...definition("Type", swatch(i), " ", typeName(i) || (all.type[i] < 0 ? "not recorded" : "struct")),
    ...definition("State", element("span", all.state[i] === LIVE ? "" : isDamaged(i) ? "bad" : "soft", state)),
    ...definition("Size", exact(all.size[i])),
    ...definition("Written", all.stored[i] < 0 ? "unknown" : exact(all.stored[i]) + ", " + percent(all.stored[i], all.size[i])));
  if (type && lengthOf(i) !== 1) {
    list.append(...definition("Structs", grouped(lengthOf(i)) + " of " + bytes(type.size)));
  }
  if (file >= 0) {
    const parts = all.parts.get(i)?.length ?? 1;
    list.append(...definition("File", element("bdi", "", printable(DATA.image.name)), "-" + file, parts > 1 ? " to -" + (file + parts - 1) : ""),
      ...definition("Offset", hex(all.offset[i]) + (parts > 1 ? "" : " \u2013 " + hex(all.offset[i] + all.size[i]))));
  }
  list.append(...definition("Alignment", bytes(all.alignment[i])), ...definition("Number", "#" + all.number[i]));
  if (all.time[i] >= 0) {
    list.append(...definition("Made", time(all.time[i], true)));
  }
  if (all.thread[i] >= 0) {
    list.append(...definition("Thread", grouped(all.thread[i])));
  }
  return list;
}

function exact(size) {
  return size < 1024 ? bytes(size) : bytes(size) + " (" + grouped(size) + " B)";
}

function damage(i) {
  const file = files.get(all.file[i]);
  return all.state[i] === 3 && file
    ? "The file ends at " + hex(Math.max(0, file.size)) + ", before this allocation does: " + bytes(Math.min(all.size[i], all.offset[i] + all.size[i] - Math.max(0, file.size))) + " are lost."
    : "The file is " + (all.state[i] === 2 ? "missing" : "unreadable") + ": its bytes are not here.";
}

function absence(i) {
  if (all.state[i] === FREED) {
    return "It has been freed; its bytes are not in this page.";
  }
  if (isDamaged(i) || all.size[i] === 0) {
    return "There are no bytes to be shown.";
  }
  return all.stored[i] === 0 ? "Nothing was ever written here: all of it is a hole, which reads as zeros."
    : all.contents[i] ? "Its first bytes are zeros." : "Its bytes are left out of this page.";
}

function writtenSize(i) {
  return all.stored[i] < 0 ? all.size[i] : all.stored[i];
}

// What the page has left out, and the command that shows it.
function remainder(i, type, contents) {
  const base = "'" + DATA.image.base.replaceAll("'", "'\\''") + "'";
  const command = (type?.type ? "arena show " : "arena hexdump --in ") + base + " '" + "#" + all.number[i] + "'";
  return element("p", "note left-out", "This page holds " + bytes(contents.byteSize) + " of " + bytes(writtenSize(i)) + " written; zeros and the rest are left out. Everything: ", element("code", "", printable(command)));
}

// Buttons that turn pages. The first page is shown at once.
function paged(count, size, show) {
  const range = element("span", "note");
  const back = element("button", "", "\u2039");
  const next = element("button", "", "\u203a");
  const bar = element("div", "switch pager", back, next);
  const body = element("div", "scroll");
  body.tabIndex = 0;
  const frame = element("div", "frame", body);
  const mark = () => markOverflow(frame, body);
  body.addEventListener("scroll", mark, {passive: true});
  new ResizeObserver(mark).observe(body);
  let first = 0;
  const turn = (to) => {
    first = to;
    body.replaceChildren(show(first, Math.min(count, first + size)));
    requestAnimationFrame(mark);
    range.textContent = count <= size ? "" : grouped(first + 1) + "\u2013" + grouped(Math.min(count, first + size)) + " of " + grouped(count);
    back.disabled = first === 0;
    next.disabled = first + size >= count;
  };
  back.type = next.type = "button";
  back.setAttribute("aria-label", "Previous page");
  next.setAttribute("aria-label", "Next page");
  back.addEventListener("click", () => turn(Math.max(0, first - size)));
  next.addEventListener("click", () => turn(first + size));
  bar.hidden = count <= size;
  turn(0);
  return {range, bar, body, frame};
}

// Shows that a table continues to the right or to the left of what is visible.
function markOverflow(frame, body) {
  frame.classList.toggle("more", body.scrollLeft + body.clientWidth < body.scrollWidth - 1);
  frame.classList.toggle("less", body.scrollLeft > 1);
}

function titled(title, pages, note) {
  pages.body.setAttribute("role", "region");
  pages.body.setAttribute("aria-label", title);
  return element("section", "part", element("div", "bar", element("h3", "", title), pages.range, element("span", "spring"), pages.bar), note ?? "", pages.frame);
}

function structsOf(i, type, contents) {
  const indices = contents.structs(type.size, LISTED_STRUCTS).filter((index) => index < Math.max(1, lengthOf(i)));
  if (lengthOf(i) <= 1) {
    return titled("Fields", paged(1, 1, () => recordTable(type.type, contents)));
  }
  return titled("Structs", paged(indices.length, STRUCTS_A_PAGE, (from, to) => structTable(type, contents, indices.slice(from, to))));
}

// One struct per row, one member per column.
function structTable(type, contents, indices) {
  const members = type.type.members.slice(0, COLUMNS);
  const head = element("tr", "", element("th", "", "index"));
  for (const [name, , member] of members) {
    const cell = element("th", isNumber(member) ? "number" : "", name);
    cell.title = typeWord(member);
    head.append(cell);
  }
  if (type.type.members.length > COLUMNS) {
    head.append(element("th", "", "+" + (type.type.members.length - COLUMNS)));
  }
  const table = element("table", "structs", element("thead", "", head));
  const body = element("tbody", "");
  let expected = indices[0];
  for (const index of indices) {
    if (index > expected) {
      const gap = element("td", "note", "\u22ee " + grouped(index - expected) + " not shown");
      gap.colSpan = members.length + 1;
      body.append(element("tr", "gap", gap));
    }
    expected = index + 1;
    const row = element("tr", "", element("th", "", "[" + index + "]"));
    for (const [, offset, member] of members) {
      row.append(valueCell(contents, type, index, offset, member));
    }
    body.append(row);
  }
  table.append(body);
  return table;
}

function valueCell(contents, type, index, offset, member) {
  const at = index * type.size;
  const cell = element("td", isNumber(member) ? "number" : "", valueLine(contents, member, at + offset, type.type, at));
  return cell;
}

function isNumber(type) {
  return ["byte", "short", "int", "long", "unsigned", "float", "double"].includes(type.kind);
}

// One struct, one member per row. Members of nested structs are indented.
function recordTable(struct, contents) {
  const table = element("table", "record", element("thead", "", element("tr", "", ...["offset", "field", "type", "value"].map((title) => element("th", "", title)))));
  const body = element("tbody", "");
  addMembers(body, struct.members, 0, 0, contents, struct, 0);
  table.append(body);
  return table;
}

function addMembers(body, members, at, depth, contents, struct, structAt) {
  for (const [name, offset, type] of members) {
    if (body.childElementCount >= MEMBERS) {
      body.append(element("tr", "gap", element("td", "note", "\u22ee")));
      return;
    }
    const isGroup = type.kind === "struct" || type.kind === "union";
    const title = element("th", "", name);
    title.style.paddingLeft = 8 + depth * 14 + "px";
    body.append(element("tr", isGroup ? "group" : "", element("td", "at", hex(at + offset)), title, element("td", "soft", typeWord(type)),
      element("td", "value", isGroup ? "" : valueLine(contents, type, at + offset, struct, structAt))));
    if (type.kind === "struct") {
      addMembers(body, type.members, at + offset, depth + 1, contents, type, at + offset);
    } else if (type.kind === "union") {
      addMembers(body, validMembers(contents, type, struct, structAt), at + offset, depth + 1, contents, struct, structAt);
    }
  }
}

function bytesOf(i, type, contents) {
  const size = lineSize();
  const lines = hexLines(contents, size);
  const fields = type?.type ? fieldsOf(type.type) : null;
  const width = Math.max(4, all.size[i].toString(16).length);
  const pages = paged(lines.length, LINES_A_PAGE, (from, to) => {
    const block = element("div", "hex");
    for (const {piece, start, gap} of lines.slice(from, to)) {
      if (gap > 0) {
        block.append(element("div", "line skipped", "\u22ee " + bytes(gap) + " not shown"));
      }
      block.append(hexLine(piece, start, size, width, fields, type?.size ?? 0));
    }
    return block;
  });
  return titled("Bytes", pages);
}
