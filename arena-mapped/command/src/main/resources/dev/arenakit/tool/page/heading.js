// The heading of the page, and the legend of the map.

function showHeading() {
  const {image} = DATA;
  const sum = sums();
  const owner = image.owners.at(-1);
  byId("title").replaceChildren(element("bdi", "", printable(image.name)));
  byId("state").textContent = image.state;
  byId("state").classList.add(image.state);
  const owners = owner ? "process " + owner.pid + " of " + time(owner.start) + ", " + printable(owner.jvm) + (image.owners.length > 1 ? ", reopened " + counted(image.owners.length - 1, "time") : "") : "owner unknown";
  byId("origin").replaceChildren(element("bdi", "", printable(image.base)), " \u00b7 " + owners + " \u00b7 seen " + time(image.looked));
  byId("totals").append(
    ...total("Allocations", grouped(sum.live), sum.freed > 0 ? "live, " + grouped(sum.freed) + " freed" : "live"),
    ...total("Size", bytes(sum.size), "allocated"),
    ...total("Written", sum.known ? bytes(sum.written) : "?", sum.known ? percent(sum.written, sum.size) + " of the size" : "holes unknown"),
    ...total("On disk", image.disk < 0 ? "?" : bytes(image.disk), "data, catalog, lock"),
    ...total("Files", grouped(files.size), image.chunked ? "chunked" : "one for each"),
    ...total("Byte order", image.order === "LITTLE_ENDIAN" ? "little" : "big", "endian"));
  const out = all.contents.reduce((count, contents, i) => count + (isLeftOut(i) ? 1 : 0), 0);
  byId("left-out").hidden = out === 0;
  byId("left-out").textContent = "The bytes of " + counted(out, "allocation") + " are left out of this page, which would become too large.";
  showProblems(DATA.problems, sum.damaged);
}

function total(title, value, note) {
  return [element("div", "total", element("dt", "", title), element("dd", "", element("b", "", value), " ", element("span", "note", note)))];
}

function showProblems(problems, damaged) {
  const more = problems.pop();
  const count = problems.length + more;
  byId("problems").hidden = count === 0;
  byId("problem-count").textContent = counted(count, "problem") + (damaged > 0 ? ", " + counted(damaged, "allocation") + " damaged" : "");
  const rowOf = rowsOf(problems.map((problem) => problem[1]));
  for (const [description, number] of problems) {
    const item = element("li", "");
    const i = rowOf.get(number);
    if (i !== undefined) {
      const link = element("button", "link", element("bdi", "", printable(label(i))));
      link.type = "button";
      link.addEventListener("click", () => openDetails(i));
      item.append(link, ": ");
    }
    item.append(printable(description));
    byId("problem-list").append(item);
  }
  if (more > 0) {
    byId("problem-list").append(element("li", "note", "and " + grouped(more) + " more: arena verify lists them"));
  }
}

function showLegend() {
  const entry = (className, text, note) => element("li", "", element("span", "swatch " + className), text, note ? element("span", "note", " " + note) : "");
  const entries = kinds.slice(0, COLOURS).map((kind, i) => entry("type-" + i, printable(kind.name), grouped(kind.count)));
  if (kinds.length > COLOURS) {
    entries.push(entry("type-" + OTHER, counted(kinds.length - COLOURS, "other type")));
  }
  const untyped = colours.reduce((sum, colour) => sum + (colour === UNTYPED ? 1 : 0), 0);
  if (untyped > 0) {
    entries.push(entry("type-" + UNTYPED, "no type", grouped(untyped)));
  }
  const sum = sums();
  entries.push(entry("written", "written (lower strip)"), entry("hole", "hole (pale)"), entry("unused", "not allocated"));
  if (sum.freed > 0) {
    entries.push(entry("freed", "freed"));
  }
  if (sum.damaged > 0) {
    entries.push(entry("damaged", "damaged"));
  }
  byId("legend").replaceChildren(...entries);
}
