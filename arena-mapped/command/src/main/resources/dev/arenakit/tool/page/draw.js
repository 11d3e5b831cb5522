// Draws the allocations in a row of the map, or in the overview strip.

function drawRow(pen, row) {
  const {from, to, width} = map.lines[row];
  const top = row * (ROW + ROW_GAP);
  const box = {pen, from, to, left: map.gutter, width, top, height: ROW};
  pen.fillStyle = map.ink.track;
  pen.fillRect(box.left, top, width, ROW);
  drawAddress(pen, from, to, top);
  drawAllocations(box, NAME_HEIGHT);
  drawWritten(box, NAME_HEIGHT + 1, ROW - NAME_HEIGHT - 1);
  drawMarks(box);
}

// The address of a row, or the numbers of its files.
function drawAddress(pen, from, to, top) {
  const first = lastNotAbove(map.fileStarts, from);
  const last = lastNotAbove(map.fileStarts, to);
  const file = space.sorted[first];
  const end = space.sorted[map.fileStarts[last] === to && to < map.scale.size ? last - 1 : last];
  const offset = Math.max(0, addressAt(map.scale, from) - file.base);
  pen.fillStyle = map.ink.soft;
  pen.font = "11px " + map.font;
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  const middle = top + ROW / 2;
  const right = map.gutter - 8;
  if (files.size === 1) {
    pen.fillText(hex(Math.floor(offset)), right, middle, right);
  } else if (end.number > file.number) {
    pen.fillText("files " + file.number, right, middle - 7, right);
    pen.fillText("to " + end.number, right, middle + 7, right);
  } else {
    pen.fillText("file " + file.number, right, middle - 7, right);
    pen.fillText(hex(Math.floor(offset)), right, middle + 7, right);
  }
}

function xOf(box, position) {
  return box.left + (position - box.from) / (box.to - box.from) * box.width;
}

// Many narrow allocations are drawn as the share of each type.
function drawAllocations(box, nameHeight) {
  const first = firstAt(box.from);
  const end = Math.min(space.order.length, lastNotAbove(map.starts, box.to) + 1);
  const mixture = end - first > box.width / 3 ? newMixture(box) : null;
  const wide = [];
  for (let at = first; at < end; at++) {
    const left = Math.max(box.left, xOf(box, map.starts[at]));
    const right = Math.min(box.left + box.width, xOf(box, map.ends[at]));
    if (mixture && right - left < NARROW) {
      mix(mixture, kindOf(space.order[at]), left - box.left, right - box.left);
    } else if (right > left) {
      wide.push([space.order[at], left, Math.max(1, right - left)]);
      if (mixture) {
        mix(mixture, map.ink.mixed.length, left - box.left, right - box.left);
      }
    }
  }
  if (mixture) {
    map.isMixed ||= nameHeight > 0;
    drawMixture(box, mixture, nameHeight > 0 ? nameHeight : box.height);
  }
  for (const [i, left, width] of wide) {
    drawAllocation(box, i, left, width, nameHeight);
  }
}

// Columns of some pixels, with the number of pixels of each type, of freed memory, of damaged memory, and of the wide
// allocations, which are drawn above the columns.
function newMixture(box) {
  const columns = Math.max(1, Math.floor(box.width / MIXED));
  return {columns, width: box.width / columns, pixels: new Float64Array(columns * (map.ink.mixed.length + 1))};
}

function kindOf(i) {
  return isDamaged(i) ? map.ink.mixed.length - 1 : all.state[i] === FREED ? map.ink.mixed.length - 2 : colours[i];
}

function mix(mixture, kind, left, right) {
  const slots = map.ink.mixed.length + 1;
  let from = Math.max(0, left / mixture.width);
  const to = Math.min(mixture.columns, right / mixture.width);
  while (from < to) {
    const next = Math.min(to, Math.floor(from) + 1);
    mixture.pixels[Math.floor(from) * slots + kind] += next - from;
    from = next;
  }
}

function drawMixture(box, mixture, height) {
  const kinds = map.ink.mixed.length;
  for (let column = 0; column < mixture.columns; column++) {
    const pixels = mixture.pixels.subarray(column * (kinds + 1), (column + 1) * (kinds + 1));
    const covered = pixels.reduce((a, b) => a + b, 0);
    const sum = covered - pixels[kinds];
    const width = Math.max(1, Math.min(1, covered) * mixture.width + 0.3);
    let top = box.top;
    for (let kind = 0; kind < kinds; kind++) {
      if (pixels[kind] > 0) {
        const part = pixels[kind] / sum * height;
        box.pen.fillStyle = map.ink.mixed[kind];
        box.pen.fillRect(box.left + column * mixture.width, top, width, part);
        top += part;
      }
    }
  }
}

function drawAllocation(box, i, left, width, nameHeight) {
  const {pen} = box;
  const ink = map.ink.types[colours[i]];
  const edge = all.state[i] === FREED ? map.ink.freed : ink.solid;
  if (all.state[i] === FREED) {
    pen.fillStyle = map.ink.free;
    pen.fillRect(left, box.top, width, box.height);
    fillHatched(pen, map.hatch.freed, left, box.top, width, nameHeight);
  } else {
    pen.fillStyle = width < 3 ? ink.solid : ink.pale;
    pen.fillRect(left, box.top, width, box.height);
    if (isDamaged(i)) {
      fillHatched(pen, map.hatch.damage, left, box.top, width, box.height);
    }
  }
  // Where an allocation begins: there is no space between two that are adjacent.
  if (width >= 3) {
    pen.fillStyle = edge;
    pen.fillRect(left, box.top, Math.min(width / 2, 3), nameHeight > 0 ? nameHeight : box.height);
  }
  if (width > 24 && nameHeight > 10) {
    drawName(box, i, left, width, nameHeight);
  }
}

// The name, if a useful part of it fits.
function drawName({pen, top}, i, left, width, height) {
  pen.save();
  pen.beginPath();
  pen.rect(left, top, width - 3, height);
  pen.clip();
  pen.font = "12px " + map.font;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  const text = fitted(pen, printable(start(label(i), 80)), width - 14);
  if (text !== "") {
    if (isDamaged(i) || all.state[i] === FREED) {
      pen.fillStyle = map.ink.card;
      pen.fillRect(left + 5, top + 2, pen.measureText(text).width + 6, height - 4);
    }
    pen.fillStyle = map.ink.text;
    pen.fillText(text, left + 8, top + height / 2 + 0.5);
  }
  pen.restore();
}

// The first characters of a text, without half a pair of surrogates at the end.
function start(text, length) {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

function fitted(pen, text, width) {
  const needed = pen.measureText(text).width;
  if (needed <= width) {
    return text;
  }
  const length = Math.floor(text.length * width / needed) - 1;
  return length < 5 ? "" : start(text, length) + "\u2026";
}

function fillHatched(pen, tile, left, top, width, height) {
  const density = window.devicePixelRatio || 1;
  const pattern = pen.createPattern(tile, "repeat");
  pattern.setTransform(new DOMMatrix().scale(1 / density));
  pen.fillStyle = pattern;
  pen.fillRect(left, top, width, height);
}

function drawWritten(box, top, height) {
  const {pen} = box;
  let drawnTo = -1;
  pen.fillStyle = map.ink.written;
  for (let at = lastNotAbove(map.writtenStarts, box.from); at < map.writtenStarts.length && map.writtenStarts[at] < box.to; at++) {
    const left = Math.max(box.left, xOf(box, map.writtenStarts[at]));
    const right = Math.min(box.left + box.width, xOf(box, map.writtenEnds[at]));
    if (map.writtenEnds[at] > box.from && right - drawnTo >= 0.5) {
      pen.globalAlpha = 0.35 + 0.65 * written.share[at];
      pen.fillRect(left, box.top + top, Math.max(1, right - left), height);
      drawnTo = right;
    }
  }
  pen.globalAlpha = 1;
}

// The frame of the selected allocation, and of the one at the pointer or the keyboard cursor.
function drawMarks(box) {
  for (const [i, colour, line] of [[map.hovered, map.ink.text, 1.5], [map.cursor, map.ink.text, 1.5], [map.selected, map.ink.accent, 3]]) {
    if (i >= 0 && space.start[i] >= 0) {
      const start = positionOf(map.scale, space.start[i]);
      const end = positionOf(map.scale, space.start[i] + all.size[i]);
      if (end > box.from && start < box.to) {
        const left = Math.max(box.left, xOf(box, start));
        const right = Math.min(box.left + box.width, xOf(box, end));
        box.pen.strokeStyle = colour;
        box.pen.lineWidth = line;
        box.pen.strokeRect(left - 0.5, box.top - 1, Math.max(3, right - left), box.height + 2);
      }
    }
  }
}
