// The rows of the map. All have the same scale, and the next file begins in a new row, as a paragraph does.

// Floating-point numbers do not add up exactly.
const TOLERANCE = 1 + 1e-9;
const SEARCH_STEPS = 30;
const LEAST_WIDTH = 3;

// The rows of the part that the map shows, with the smallest span of a row for which they fit into a number of rows.
function layoutRows(from, to, count) {
  if (to <= from) {
    return [];
  }
  let small = (to - from) / count;
  let large = to - from;
  let rows = filledRows(from, to, small, count);
  if (!rows) {
    for (let step = 0; step < SEARCH_STEPS; step++) {
      const middle = (small + large) / 2;
      if (filledRows(from, to, middle, count)) {
        large = middle;
      } else {
        small = middle;
      }
    }
    rows = filledRows(from, to, large, count);
  }
  return rows;
}

// Rows of a span, or nothing if there are more than a number. If there are more files than rows, a row may contain
// several whole files.
function filledRows(from, to, span, count) {
  const starts = map.fileStarts;
  const share = lastNotAbove(starts, to) - lastNotAbove(starts, from) >= count;
  const rows = [];
  for (let at = from; at < to && rows.length <= count;) {
    const file = lastNotAbove(starts, at);
    const fits = at + span * TOLERANCE;
    let end = Math.min(to, file + 1 < starts.length ? starts[file + 1] : to);
    if (end > fits) {
      end = at + span;
    } else if (share && starts[file] === at && end < to) {
      end = fits >= to ? to : starts[lastNotAbove(starts, fits)];
    }
    rows.push({from: at, to: end, share: (end - at) / span});
    at = end;
  }
  return rows.length <= count ? rows : null;
}

// Gives the rows their widths. The smallest is visible too.
function layoutMap() {
  const narrow = window.innerWidth < 700;
  map.rows = Math.round(Math.min(14, Math.max(narrow ? 8 : 6, window.innerHeight * 0.3 / (ROW + ROW_GAP))));
  map.gutter = narrow ? 70 : 88;
  map.lines = layoutRows(map.from, map.to, map.rows);
}

// The position at a point of the map, or nothing if no row is near.
function positionAt(x, y, reach) {
  const line = map.lines[Math.floor(y / (ROW + ROW_GAP))];
  if (!line || x < map.gutter || x - map.gutter > line.width + reach) {
    return undefined;
  }
  return line.from + (line.to - line.from) * Math.min(1, (x - map.gutter) / line.width);
}
