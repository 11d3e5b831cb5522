// Pointer and keyboard input of the map and the overview strip.

function answerMap() {
  const {canvas} = map;
  canvas.addEventListener("click", (event) => {
    const i = allocationAt(event.offsetX, event.offsetY, 5);
    if (i >= 0) {
      select(i);
    }
  });
  canvas.addEventListener("dblclick", (event) => zoom(0.4, pointedAt(event)));
  canvas.addEventListener("pointermove", (event) => hover(event, allocationAt(event.offsetX, event.offsetY, 3)));
  canvas.addEventListener("pointerleave", () => hover(null, -1));
  canvas.addEventListener("blur", () => {
    map.cursor = -1;
    requestDraw();
  });
  canvas.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      zoom(Math.exp(Math.min(60, Math.max(-60, event.deltaY)) / 120), pointedAt(event));
    }
  }, {passive: false});
  canvas.addEventListener("keydown", mapKey);
  byId("zoom-in").addEventListener("click", () => zoom(0.5));
  byId("zoom-out").addEventListener("click", () => zoom(2));
  byId("zoom-all").addEventListener("click", () => showPart(0, map.scale.size));
  for (const name of ["fit", "bytes"]) {
    byId("scale-" + name).addEventListener("click", () => useScale(name));
  }
}

function pointedAt(event) {
  return positionAt(Math.max(map.gutter, event.offsetX), event.offsetY, Infinity);
}

function hover(event, i) {
  const tip = byId("tip");
  if (i !== map.hovered) {
    map.hovered = i;
    tip.hidden = i < 0;
    if (i >= 0) {
      tip.replaceChildren(element("b", "", element("bdi", "", printable(label(i)))), element("span", "", (typeName(i) || "no type") + ", " + bytes(all.size[i])), element("span", "", stateInShort(i)));
    }
    requestDraw();
  }
  if (i >= 0 && event) {
    tip.style.left = Math.max(0, Math.min(event.offsetX + 12, map.canvas.clientWidth - tip.offsetWidth)) + "px";
    tip.style.top = event.offsetY + 18 + "px";
  }
}

function mapKey(event) {
  const keys = {
    ArrowRight: () => moveCursor(1), ArrowLeft: () => moveCursor(-1),
    ArrowDown: () => pan(1 / map.rows), ArrowUp: () => pan(-1 / map.rows),
    PageDown: () => pan(0.9), PageUp: () => pan(-0.9),
    Home: () => showPart(0, map.to - map.from), End: () => showPart(map.scale.size - (map.to - map.from), map.scale.size),
    "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), 0: () => showPart(0, map.scale.size),
    Enter: openCursor, " ": openCursor,
  };
  if (keys[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    keys[event.key]();
  }
}

function moveCursor(step) {
  const from = map.cursor >= 0 ? map.cursor : map.selected;
  const i = neighbour(from, step);
  if (i >= 0) {
    map.cursor = i;
    byId("said").textContent = printable(label(i)) + ", " + bytes(all.size[i]);
    reveal(i);
  }
}

function openCursor() {
  if (map.cursor >= 0) {
    openDetails(map.cursor);
  }
}

// The focus moves to the opened element, and back when it is closed.
function openDetails(i) {
  byId("details").returnTo = document.activeElement;
  select(i);
  byId("details").focus({preventScroll: window.innerWidth >= 900});
}

function answerOverview() {
  const move = (event) => {
    const middle = event.offsetX / map.overview.clientWidth * map.scale.size;
    const half = (map.to - map.from) / 2;
    showPart(middle - half, middle + half);
  };
  map.overview.addEventListener("pointerdown", (event) => {
    if (map.from <= 0 && map.to >= map.scale.size) {
      zoom(0.25, event.offsetX / map.overview.clientWidth * map.scale.size);
    }
    map.overview.setPointerCapture(event.pointerId);
    move(event);
  });
  map.overview.addEventListener("pointermove", (event) => {
    if (map.overview.hasPointerCapture(event.pointerId)) {
      move(event);
    }
  });
  map.overview.addEventListener("keydown", (event) => {
    const keys = {ArrowRight: () => pan(0.25), ArrowLeft: () => pan(-0.25), ArrowUp: () => pan(0.25), ArrowDown: () => pan(-0.25)};
    (keys[event.key] ?? (() => mapKey(event)))();
    if (keys[event.key]) {
      event.preventDefault();
    }
  });
}
