// The map: a canvas with the files in rows, like the lines of paragraphs, and above it an overview strip.

const ROW = 30;
const ROW_GAP = 7;
const NAME_HEIGHT = 20;
// The width of a column of types.
const MIXED = 4;
const NARROW = 3;
const LEAST_SHARE = 1e-9;

let drawRequested = false;

const map = {
  canvas: byId("map"),
  overview: byId("overview"),
  scales: {fit: makeScale(squeezedWeight), bytes: makeScale((size) => size)},
  scale: null,
  from: 0,
  to: 1,
  rows: 12,
  gutter: 96,
  selected: -1,
  hovered: -1,
  cursor: -1,
  ink: {},
  starts: null,
  ends: null,
  // The positions at which the files start.
  fileStarts: null,
  lines: [],
};

function useScale(name) {
  map.scale = map.scales[name];
  map.from = 0;
  map.to = map.scale.size;
  map.starts = new Float64Array(space.order.length);
  map.ends = new Float64Array(space.order.length);
  space.order.forEach((i, at) => {
    map.starts[at] = positionOf(map.scale, space.start[i]);
    map.ends[at] = positionOf(map.scale, space.start[i] + all.size[i]);
  });
  map.fileStarts = Float64Array.from(space.sorted, (file) => positionOf(map.scale, file.base));
  map.writtenStarts = written.start.map((address) => positionOf(map.scale, address));
  map.writtenEnds = written.end.map((address) => positionOf(map.scale, address));
  byId("scale-fit").setAttribute("aria-pressed", String(name === "fit"));
  byId("scale-bytes").setAttribute("aria-pressed", String(name === "bytes"));
  requestDraw();
}

// A context in CSS pixels, with the size of the canvas on the screen.
function prepared(canvas, height) {
  const density = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  canvas.style.height = height + "px";
  canvas.width = Math.max(1, Math.round(width * density));
  canvas.height = Math.max(1, Math.round(height * density));
  const pen = canvas.getContext("2d");
  pen.scale(density, density);
  return {pen, width};
}

function drawMap() {
  layoutMap();
  const {pen, width} = prepared(map.canvas, map.rows * (ROW + ROW_GAP));
  map.isMixed = false;
  map.lines.forEach((line, row) => {
    line.width = Math.max(LEAST_WIDTH, (width - map.gutter) * Math.min(1, line.share));
    drawRow(pen, row);
  });
  drawOverview();
  const from = addressAt(map.scale, map.from);
  const to = addressAt(map.scale, map.to);
  byId("map-range").textContent = map.from <= 0 && map.to >= map.scale.size
    ? "all " + bytes(space.size) + (files.size > 1 ? " in " + counted(files.size, "file") : "")
    : bytes(to - from) + " of " + bytes(space.size);
  byId("mixed").hidden = !map.isMixed;
  byId("zoom-all").disabled = map.from <= 0 && map.to >= map.scale.size;
  byId("zoom-out").disabled = byId("zoom-all").disabled;
}

// The index, in address order, of the first allocation that may reach a position.
function firstAt(position) {
  return Math.max(0, lastNotAbove(map.starts, position) - 1);
}

// The strip does not depend on the selection, so it is drawn once.
function drawWhole(box) {
  const density = window.devicePixelRatio || 1;
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(box.width * density));
  canvas.height = Math.round(26 * density);
  const pen = canvas.getContext("2d");
  pen.scale(density, density);
  pen.fillStyle = map.ink.track;
  pen.fillRect(0, box.top, box.width, box.height);
  drawAllocations({...box, pen}, 0);
  drawWritten({...box, pen}, 12, 6);
  return canvas;
}

function drawOverview() {
  const {pen, width} = prepared(map.overview, 26);
  const box = {pen, from: 0, to: map.scale.size, left: 0, width, top: 4, height: 18};
  if (map.whole?.width !== width || map.whole.scale !== map.scale || map.whole.ink !== map.ink) {
    map.whole = {width, scale: map.scale, ink: map.ink, canvas: drawWhole(box)};
  }
  pen.drawImage(map.whole.canvas, 0, 0, width, 26);
  const left = xOf(box, map.from);
  const right = Math.max(left + 6, xOf(box, map.to));
  pen.globalAlpha = 0.72;
  pen.fillStyle = map.ink.card;
  pen.fillRect(0, 0, left, 26);
  pen.fillRect(right, 0, width - right, 26);
  pen.globalAlpha = 1;
  pen.strokeStyle = map.ink.text;
  pen.lineWidth = 2;
  pen.strokeRect(left + 1, 1, right - left - 2, 24);
  const middle = Math.round((map.from + map.to) / 2 / map.scale.size * 100);
  map.overview.setAttribute("aria-valuenow", String(middle));
  map.overview.setAttribute("aria-valuetext", bytes(addressAt(map.scale, map.to) - addressAt(map.scale, map.from)) + " from " + bytes(addressAt(map.scale, map.from)));
}
