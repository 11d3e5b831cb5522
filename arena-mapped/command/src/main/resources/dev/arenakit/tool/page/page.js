// The page as a whole: the selection, and the handlers of events.

function select(i) {
  preselect(i);
  document.body.classList.add("open");
  byId("said").textContent = printable(label(i)) + ", " + (typeName(i) || "no type") + ", " + bytes(all.size[i]) + ", " + STATES[all.state[i]];
  history.replaceState(null, "", "#" + all.number[i]);
}

// Selects without opening the details where they would cover the page.
function preselect(i) {
  map.selected = i;
  map.cursor = -1;
  showDetails(i);
  showInList(i);
  reveal(i);
}

function unselect() {
  map.selected = -1;
  map.cursor = -1;
  document.body.classList.remove("open");
  hideDetails();
  drawList();
  requestDraw();
  history.replaceState(null, "", location.pathname + location.search);
}

function answerList() {
  const field = byId("search");
  field.addEventListener("input", () => search(field.value));
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") {
      event.preventDefault();
      list.rows.focus();
      activate(Math.max(0, list.active));
    } else if (event.key === "Enter" && list.active >= 0) {
      openDetails(list.shown[list.active]);
    } else if (event.key === "Escape" && field.value !== "") {
      event.stopPropagation();
      event.preventDefault();
      field.value = "";
      search("");
    }
  });
  byId("sort").addEventListener("change", (event) => useOrder(event.target.value));
  list.rows.addEventListener("scroll", () => drawList());
  list.rows.addEventListener("click", (event) => {
    const item = event.target.closest(".item");
    if (item) {
      list.active = Number(item.dataset.at);
      select(list.shown[list.active]);
    }
  });
  list.rows.addEventListener("keydown", listKey);
}

function listKey(event) {
  const page = Math.max(1, Math.floor(list.rows.clientHeight / ITEM) - 1);
  const keys = {
    ArrowDown: () => activate(list.active + 1),
    ArrowUp: () => list.active <= 0 ? byId("search").focus() : activate(list.active - 1),
    PageDown: () => activate(list.active + page), PageUp: () => activate(list.active - page),
    Home: () => activate(0), End: () => activate(list.shown.length - 1),
    Enter: () => list.active >= 0 && openDetails(list.shown[list.active]),
    " ": () => list.active >= 0 && openDetails(list.shown[list.active]),
  };
  if (keys[event.key]) {
    event.preventDefault();
    keys[event.key]();
  }
}

function close() {
  const back = byId("details").returnTo;
  byId("details").returnTo = null;
  unselect();
  back?.focus();
}

function answerPage() {
  byId("close").addEventListener("click", close);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) {
      close();
    } else if (event.key === "/" && !/^(INPUT|SELECT)$/.test(document.activeElement?.tagName ?? "")) {
      event.preventDefault();
      byId("search").focus();
    }
  });
  byId("theme").addEventListener("click", () => useTheme(isDark() ? "light" : "dark"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => useTheme(document.documentElement.dataset.theme));
  new ResizeObserver(() => {
    requestDraw();
    drawList();
  }).observe(document.body);
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

// Without a choice, the preference of the system applies.
function useTheme(theme) {
  if (theme) {
    document.documentElement.dataset.theme = theme;
  }
  byId("theme").textContent = isDark() ? "Light" : "Dark";
  readInk();
  requestDraw();
}

const asked = new URLSearchParams(location.search);
showHeading();
showLegend();
useScale(asked.get("scale") === "bytes" ? "bytes" : "fit");
useTheme(asked.get("theme"));
answerMap();
answerOverview();
answerList();
answerPage();
useOrder("recorded");
drawMap();
const linked = /^#\d+$/.test(location.hash) ? rowsOf([Number(location.hash.slice(1))]).values().next().value : undefined;
if (linked !== undefined) {
  select(linked);
} else if (all.count > 0) {
  preselect(firstToShow());
}
document.documentElement.dataset.ready = "true";
