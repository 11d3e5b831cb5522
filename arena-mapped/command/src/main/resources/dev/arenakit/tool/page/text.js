// Text and elements. Everything that comes from an image becomes text only.

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

// 1.5 TiB
function bytes(count) {
  let unit = 0;
  let value = count;
  while (unit < UNITS.length - 1 && value >= 1023.95) {
    value /= 1024;
    unit++;
  }
  return (Number.isInteger(value) ? value : value.toFixed(1)) + " " + UNITS[unit];
}

// 1,048,576
function grouped(number) {
  return number.toLocaleString("en-US");
}

function counted(number, singular) {
  return grouped(number) + " " + singular + (number === 1 ? "" : "s");
}

function hex(number) {
  return "0x" + number.toString(16);
}

function percent(part, whole) {
  if (whole <= 0 || part <= 0) {
    return "0 %";
  }
  const share = part / whole * 100;
  return share < 0.1 ? "< 0.1 %" : share < 10 ? share.toFixed(1) + " %" : Math.floor(share) + " %";
}

// 2026-11-21 14:05:33
function time(millis, withMillis) {
  const date = new Date(millis);
  if (!(millis >= 0) || Number.isNaN(date.getTime())) {
    return "";
  }
  const two = (value) => String(value).padStart(2, "0");
  const day = date.getFullYear() + "-" + two(date.getMonth() + 1) + "-" + two(date.getDate());
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  return day + " " + clock + (withMillis ? "." + String(date.getMilliseconds()).padStart(3, "0") : "");
}

// Text without control characters and characters that change the direction of text: their numbers replace them.
function printable(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (c) => "\\u" + c.codePointAt(0).toString(16).padStart(4, "0"));
}

function byId(id) {
  return document.getElementById(id);
}

// An element with a class, and with elements or text as children.
function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) {
    made.className = className;
  }
  made.append(...children);
  return made;
}

function definition(term, ...value) {
  return [element("div", "", element("dt", "", term), element("dd", "", ...value))];
}
