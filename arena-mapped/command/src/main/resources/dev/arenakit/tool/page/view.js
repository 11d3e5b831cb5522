// The part of the files that the map shows, and its rows.

// Shows a part, which is moved if it reaches beyond an end.
function showPart(from, to) {
  const size = Math.min(map.scale.size, Math.max(to - from, map.scale.size * LEAST_SHARE));
  map.from = Math.min(Math.max(0, from), map.scale.size - size);
  map.to = map.from + size;
  requestDraw();
}

// Zooms in by a factor below 1, or out. One position stays in its place.
function zoom(factor, around) {
  const middle = around ?? zoomCentre();
  showPart(middle - (middle - map.from) * factor, middle + (map.to - middle) * factor);
}

function zoomCentre() {
  const i = map.cursor >= 0 ? map.cursor : map.selected;
  if (i >= 0 && space.start[i] >= 0) {
    const middle = positionOf(map.scale, space.start[i] + all.size[i] / 2);
    if (middle >= map.from && middle <= map.to) {
      return middle;
    }
  }
  return (map.from + map.to) / 2;
}

function pan(share) {
  const by = (map.to - map.from) * share;
  showPart(map.from + by, map.to + by);
}

// Moves the part to an allocation, and zooms in until it is visible.
function reveal(i) {
  if (space.start[i] < 0) {
    return;
  }
  const start = positionOf(map.scale, space.start[i]);
  const end = positionOf(map.scale, space.start[i] + all.size[i]);
  const size = map.to - map.from;
  if (start < map.from || end > map.to) {
    showPart((start + end - size) / 2, (start + end + size) / 2);
  }
  requestDraw();
}

function requestDraw() {
  if (!drawRequested) {
    drawRequested = true;
    requestAnimationFrame(() => {
      drawRequested = false;
      drawMap();
    });
  }
}

// The allocation at a point of the map, or the nearest one within some pixels, or -1.
function allocationAt(x, y, reach) {
  const position = positionAt(x, y, reach);
  if (position === undefined || space.order.length === 0) {
    return -1;
  }
  const line = map.lines[Math.floor(y / (ROW + ROW_GAP))];
  const near = (line.to - line.from) / line.width * reach;
  const at = lastNotAbove(map.starts, position);
  let best = -1;
  let distance = near;
  for (let k = Math.max(0, at - 1); k <= Math.min(at + 1, space.order.length - 1); k++) {
    if (map.starts[k] >= line.to || map.ends[k] <= line.from) {
      continue;
    }
    const away = Math.max(map.starts[k] - position, position - map.ends[k], 0);
    if (away <= distance && (best < 0 || away < distance)) {
      best = space.order[k];
      distance = away;
    }
  }
  return best;
}

// The next allocation in address order.
function neighbour(i, step) {
  if (space.order.length === 0) {
    return -1;
  }
  if (i < 0 || space.start[i] < 0) {
    const seen = Math.min(space.order.length - 1, lastNotAbove(map.starts, map.from) + (map.from > 0 ? 1 : 0));
    return space.order[seen];
  }
  let at = lastNotAbove(map.starts, positionOf(map.scale, space.start[i]));
  while (at > 0 && space.order[at] !== i && map.starts[at - 1] === map.starts[at]) {
    at--;
  }
  return space.order[Math.min(space.order.length - 1, Math.max(0, at + step))];
}
