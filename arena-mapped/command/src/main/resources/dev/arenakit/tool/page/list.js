// The list of allocations. Only the visible ones are elements.

const ITEM = 40;
const OVERSCAN = 6;
// Browsers limit the height of elements to some 33 million pixels.
const HIGHEST = 16e6;

let texts = null;

// The texts that are searched, in lower case. They are made for the first search.
function keys() {
  return texts ??= Array.from({length: all.count}, (_, i) => (all.name[i] + "\n#" + all.number[i] + "\n" + typeName(i)).toLowerCase());
}

const HEIGHTS = {least: 120, most: 620, narrow: 420};

const list = {
  rows: byId("rows"),
  runway: byId("runway"),
  orders: new Map(),
  order: null,
  shown: new Int32Array(0),
  active: -1,
  query: "",
};

const SORTS = {
  address: (a, b) => space.start[a] - space.start[b] || a - b,
  name: (a, b) => compareText(keys()[a], keys()[b]) || a - b,
  size: (a, b) => all.size[b] - all.size[a] || a - b,
  written: (a, b) => all.stored[b] - all.stored[a] || a - b,
};

function compareText(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sortedBy(name) {
  let order = list.orders.get(name);
  if (!order) {
    order = Int32Array.from({length: all.count}, (_, i) => i);
    if (SORTS[name]) {
      order.sort(SORTS[name]);
    }
    list.orders.set(name, order);
  }
  return order;
}

function search(query) {
  list.query = query;
  const wanted = query.trim().toLowerCase();
  const texts = wanted === "" ? null : keys();
  list.shown = wanted === "" ? list.order : list.order.filter((i) => texts[i].includes(wanted));
  byId("count").textContent = wanted === "" ? grouped(all.count) : grouped(list.shown.length) + " of " + grouped(all.count);
  list.active = list.shown.length > 0 ? 0 : -1;
  list.rows.scrollTop = 0;
  drawList();
}

// As high as all items, up to a limit.
function layoutList() {
  const most = window.innerWidth < 900 ? HEIGHTS.narrow : HEIGHTS.most;
  list.rows.style.height = Math.min(most, Math.max(HEIGHTS.least, all.count * ITEM + 1)) + "px";
}

function useOrder(name) {
  list.order = sortedBy(name);
  search(list.query);
}

function runwayHeight() {
  return Math.min(HIGHEST, list.shown.length * ITEM);
}

// The first visible item. The scrolled element may be shorter than all items.
function firstInSight() {
  const reach = runwayHeight() - list.rows.clientHeight;
  const items = list.shown.length * ITEM - list.rows.clientHeight;
  const scale = reach > 0 ? items / reach : 1;
  return Math.max(0, list.rows.scrollTop * scale / ITEM);
}

function drawList() {
  layoutList();
  const height = runwayHeight();
  list.runway.style.height = Math.max(height, 1) + "px";
  const exact = firstInSight();
  const first = Math.max(0, Math.floor(exact) - OVERSCAN);
  const last = Math.min(list.shown.length, Math.ceil(exact + list.rows.clientHeight / ITEM) + OVERSCAN);
  const items = [];
  for (let at = first; at < last; at++) {
    const item = listItem(list.shown[at], at);
    item.style.transform = "translateY(" + Math.round(list.rows.scrollTop + (at - exact) * ITEM) + "px)";
    items.push(item);
  }
  if (items.length === 0) {
    items.push(element("p", "note empty", all.count === 0 ? "The image has no allocation." : "No allocation has that in its name or type."));
  }
  list.runway.replaceChildren(...items);
  if (list.active >= first && list.active < last) {
    list.rows.setAttribute("aria-activedescendant", "item-" + list.active);
  } else {
    list.rows.removeAttribute("aria-activedescendant");
  }
}

function listItem(i, at) {
  const item = element("div", "item");
  item.id = "item-" + at;
  item.dataset.at = String(at);
  item.setAttribute("role", "option");
  item.setAttribute("aria-selected", String(i === map.selected));
  item.setAttribute("aria-setsize", String(list.shown.length));
  item.setAttribute("aria-posinset", String(at + 1));
  item.classList.toggle("active", at === list.active);
  const name = element("bdi", "name", printable(label(i)));
  const type = element("span", "type", typeName(i) || "no type");
  const text = element("span", "what", name, type);
  const numbers = element("span", "numbers", element("span", "size", bytes(all.size[i])), element("span", "type", stateInShort(i)));
  item.append(swatch(i), text, numbers);
  return item;
}

function stateInShort(i) {
  if (all.state[i] !== LIVE) {
    return STATES[all.state[i]];
  }
  return all.stored[i] < 0 ? "" : percent(all.stored[i], all.size[i]) + " written";
}

function swatch(i) {
  const state = all.state[i] === FREED ? " freed" : isDamaged(i) ? " damaged" : "";
  return element("span", "swatch type-" + colours[i] + state);
}

function scrollToItem(at) {
  const top = at * ITEM;
  const height = list.rows.clientHeight;
  const items = list.shown.length * ITEM - height;
  const reach = runwayHeight() - height;
  const scale = items > 0 && reach > 0 ? reach / items : 1;
  const now = list.rows.scrollTop / scale;
  if (top < now) {
    list.rows.scrollTop = top * scale;
  } else if (top + ITEM > now + height) {
    list.rows.scrollTop = (top + ITEM - height) * scale;
  }
}

function activate(at) {
  if (list.shown.length === 0) {
    return;
  }
  list.active = Math.min(list.shown.length - 1, Math.max(0, at));
  scrollToItem(list.active);
  drawList();
}

// Shows an allocation in the list, if the list contains it.
function showInList(i) {
  const at = list.shown.indexOf(i);
  if (at >= 0) {
    activate(at);
  } else {
    drawList();
  }
}
