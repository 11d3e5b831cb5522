// The image: its allocations in columns, which take less memory than objects and are faster to scan.

const DATA = JSON.parse(byId("data").textContent);

const STATES = ["live", "freed", "missing file", "truncated file", "unreadable file"];
const LIVE = 0;
const FREED = 1;

function readAllocations(rows) {
  const count = rows.length;
  const all = {
    count,
    name: new Array(count),
    type: new Int32Array(count),
    file: new Int32Array(count),
    offset: new Float64Array(count),
    size: new Float64Array(count),
    alignment: new Float64Array(count),
    state: new Uint8Array(count),
    stored: new Float64Array(count),
    time: new Float64Array(count),
    thread: new Float64Array(count),
    number: new Float64Array(count),
    contents: new Array(count),
    // The sizes of the parts of an allocation in several files.
    parts: new Map(),
    types: [],
  };
  let time = 0;
  let number = 0;
  let end = 0;
  rows.forEach((row, i) => {
    if (typeof row[1] === "object") {
      all.types.push(row[1]);
      row[1] = all.types.length - 1;
    }
    all.name[i] = row[0] === 0 ? "" : row[0];
    all.type[i] = row[1];
    if (typeof row[2] === "object") {
      all.parts.set(i, row[2].slice(1));
      row[2] = row[2][0];
    }
    all.file[i] = row[2];
    all.offset[i] = end += row[3];
    all.size[i] = row[4];
    all.alignment[i] = 2 ** row[5];
    all.state[i] = row[6];
    all.stored[i] = row[7] === -2 ? row[4] : row[7];
    all.time[i] = row[8] === null ? -1 : time += row[8];
    all.thread[i] = row[9];
    all.number[i] = number += row[10];
    all.contents[i] = row[11] ?? null;
    end += row[4];
  });
  return all;
}

function readFiles(files, allocations) {
  const byNumber = new Map();
  for (const [number, size, unit, ranges] of files) {
    byNumber.set(number, {number, size, unit, ranges: ranges ?? [], end: Math.max(0, size), base: 0});
  }
  const reach = (number, end) => {
    const file = byNumber.get(number);
    if (file) {
      file.end = Math.max(file.end, end);
    }
  };
  for (let i = 0; i < allocations.count; i++) {
    const parts = allocations.parts.get(i) ?? [allocations.size[i]];
    parts.forEach((size, part) => reach(allocations.file[i] + part, (part === 0 ? allocations.offset[i] : 0) + size));
  }
  return byNumber;
}

const all = readAllocations(DATA.allocations);
const files = readFiles(DATA.files, all);
DATA.allocations = null;

// The name by which `arena` finds an allocation.
function label(i) {
  return all.name[i] === "" ? "#" + all.number[i] : all.name[i];
}

function isDamaged(i) {
  return all.state[i] > FREED;
}

// Whether the page was to show bytes of an allocation, but has no place for them.
function isLeftOut(i) {
  return all.state[i] === LIVE && all.stored[i] !== 0 && all.size[i] > 0 && !all.contents[i];
}

// The allocations with some numbers.
function rowsOf(numbers) {
  const wanted = new Set(numbers);
  const rows = new Map();
  all.number.forEach((number, i) => wanted.has(number) && rows.set(number, i));
  return rows;
}

// The allocation to be shown first: what is damaged, or what has contents.
function firstToShow() {
  const damaged = all.state.findIndex((state) => state > FREED);
  const contained = damaged < 0 ? all.contents.findIndex((contents) => contents?.length > 0) : damaged;
  const live = contained < 0 ? all.state.indexOf(LIVE) : contained;
  return Math.max(live, Math.min(0, all.count - 1));
}

// The number of structs in an allocation.
function lengthOf(i) {
  const type = all.types[all.type[i]];
  return !type ? 0 : type.size === 0 ? 1 : Math.floor(all.size[i] / type.size);
}

function typeName(i) {
  const type = all.types[all.type[i]];
  if (!type) {
    return "";
  }
  const length = lengthOf(i);
  return shortName(type) + (length === 1 ? "" : "[" + length + "]");
}

function sums() {
  const sum = {live: 0, size: 0, written: 0, known: true, freed: 0, damaged: 0};
  for (let i = 0; i < all.count; i++) {
    if (all.state[i] === FREED) {
      sum.freed++;
      continue;
    }
    sum.live++;
    sum.size += all.size[i];
    sum.damaged += isDamaged(i) ? 1 : 0;
    sum.known &&= all.stored[i] >= 0;
    sum.written += Math.max(0, all.stored[i]);
  }
  return sum;
}
