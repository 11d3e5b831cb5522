// The colours of the canvases, which are those of the style sheet.

function readInk() {
  const style = getComputedStyle(document.documentElement);
  const ink = (name) => style.getPropertyValue("--" + name).trim();
  map.ink = {
    types: Array.from({length: COLOURS + 2}, (_, i) => ({solid: ink("type-" + i), pale: ink("type-" + i + "-pale")})),
    track: ink("track"), free: ink("free"), text: ink("text"), soft: ink("soft"), written: ink("written"),
    damage: ink("damage"), freed: ink("freed"), accent: ink("accent"), card: ink("card"), line: ink("line"),
  };
  map.ink.mixed = [...map.ink.types.map((type) => type.solid), map.ink.freed, map.ink.damage];
  map.font = getComputedStyle(document.body).fontFamily;
  map.hatch = {freed: hatch(map.ink.freed, 6), damage: hatch(map.ink.damage, 4)};
}

function hatch(colour, step) {
  const tile = document.createElement("canvas");
  const density = window.devicePixelRatio || 1;
  tile.width = tile.height = Math.round(step * 2 * density);
  const pen = tile.getContext("2d");
  pen.strokeStyle = colour;
  pen.lineWidth = 1.2 * density;
  for (let x = -tile.width; x <= 2 * tile.width; x += step * density) {
    pen.moveTo(x, tile.height);
    pen.lineTo(x + tile.height, 0);
  }
  pen.stroke();
  return tile;
}
