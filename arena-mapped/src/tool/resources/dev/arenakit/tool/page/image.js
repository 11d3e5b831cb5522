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
    types: [],
  };
  rows.forEach((row, i) => {
    if (typeof row[1] === "object") {
      all.types.push(row[1]);
      row[1] = all.types.length - 1;
    }
    all.name[i] = row[0] === 0 ? "" : row[0];
    all.type[i] = row[1];
    all.file[i] = row[2];
    all.offset[i] = row[3];
    all.size[i] = row[4];
    all.alignment[i] = 2 ** row[5];
    all.state[i] = row[6];
    all.stored[i] = row[7];
    all.time[i] = row[8];
    all.thread[i] = row[9];
    all.number[i] = row[10];
    all.contents[i] = row[11];
  });
  return all;
}

function readFiles(files, allocations) {
  const byNumber = new Map();
  for (const [number, size, unit, ranges] of files) {
    byNumber.set(number, {number, size, unit, ranges: ranges ?? [], end: Math.max(0, size), base: 0});
  }
  for (let i = 0; i < allocations.count; i++) {
    const file = byNumber.get(allocations.file[i]);
    if (file) {
      file.end = Math.max(file.end, allocations.offset[i] + allocations.size[i]);
    }
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
