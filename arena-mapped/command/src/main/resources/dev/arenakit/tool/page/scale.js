// The data files are placed end to end, and a scale gives each address in them a position in the map.

// The allocations whose size is not 0, in address order.
function placeAllocations() {
  const sorted = [...files.values()].sort((a, b) => a.number - b.number);
  let base = 0;
  for (const file of sorted) {
    file.base = base;
    base += Math.max(1, file.end);
  }
  const start = new Float64Array(all.count).fill(-1);
  const placed = [];
  for (let i = 0; i < all.count; i++) {
    const file = files.get(all.file[i]);
    if (file && all.size[i] > 0) {
      start[i] = file.base + all.offset[i];
      placed.push(i);
    }
  }
  const order = Int32Array.from(placed).sort((a, b) => start[a] - start[b] || a - b);
  return {sorted, start, order, size: base};
}

const space = placeAllocations();

// Large ranges are shortened to their logarithms, and ranges without an allocation even more.
function squeezedWeight(size, isAllocation) {
  return isAllocation ? 4 + Math.log2(1 + size / 16) : Math.log2(1 + size / 256) / 4;
}

// A scale consists of two ascending columns, of addresses and of their positions. It is linear between two entries.
function makeScale(weight) {
  const address = new Float64Array(2 * space.order.length + 2 * space.sorted.length + 2);
  const position = new Float64Array(address.length);
  let count = 1;
  const extend = (to, isAllocation) => {
    const size = to - address[count - 1];
    if (size > 0) {
      address[count] = to;
      position[count] = position[count - 1] + weight(size, isAllocation);
      count++;
    }
  };
  let file = 0;
  const endFilesBefore = (start) => {
    while (file + 1 < space.sorted.length && space.sorted[file + 1].base <= start) {
      extend(space.sorted[++file].base, false);
    }
  };
  for (const i of space.order) {
    endFilesBefore(space.start[i]);
    extend(space.start[i], false);
    extend(space.start[i] + all.size[i], true);
  }
  endFilesBefore(Infinity);
  extend(space.size, false);
  return {address: address.subarray(0, count), position: position.subarray(0, count), size: position[count - 1]};
}

// The last index in an ascending column whose value is not greater than a value.
function lastNotAbove(column, value) {
  let low = 0;
  let high = column.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (column[middle] <= value) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

function convert(from, to, value) {
  const i = Math.min(lastNotAbove(from, value), from.length - 2);
  if (i < 0) {
    return 0;
  }
  return to[i] + (to[i + 1] - to[i]) * Math.min(1, Math.max(0, (value - from[i]) / (from[i + 1] - from[i])));
}

function positionOf(scale, address) {
  return convert(scale.address, scale.position, address);
}

function addressAt(scale, position) {
  return convert(scale.position, scale.address, position);
}

// The ranges of data: columns of their start and end addresses, ascending, and of their shares of data.
function placeWritten() {
  const starts = [];
  const ends = [];
  const shares = [];
  for (const file of space.sorted) {
    let at = 0;
    for (let i = 0; i < file.ranges.length; i += 3) {
      at += file.ranges[i];
      starts.push(file.base + at * file.unit);
      at += file.ranges[i + 1];
      ends.push(file.base + Math.min(at * file.unit, file.end));
      shares.push(file.ranges[i + 2] / 100);
    }
    file.ranges = null;
  }
  return {start: Float64Array.from(starts), end: Float64Array.from(ends), share: Float32Array.from(shares)};
}

const written = placeWritten();
