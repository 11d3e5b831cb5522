// Draws the charts of the page from the numbers in its block `data`: lines for a benchmark with an axis, otherwise
// dots. There is one panel per combination of the other conditions, and all panels of a benchmark have the same scale.
(function () {
  "use strict";

  // Readers who do not see all colours can tell these apart, the first ones best.
  const COLORS = {
    light: ["#5d6675", "#0072b2", "#c24a00", "#00805e", "#b0508a", "#a87900", "#7a5bbd",
      "#3b8fc2", "#8a6d5a", "#5f7d00", "#b3262e", "#00838f", "#6d4c9f", "#c2185b"],
    dark: ["#aab4c2", "#4aa8e8", "#ff8a4c", "#2fc79d", "#e58cc0", "#e3b341", "#b79df0",
      "#8fd0f5", "#c7a58f", "#b0cf4a", "#ff7b7b", "#4dd0e1", "#cbb2ff", "#ff80ab"]
  };
  const DASHES = ["solid", [6, 3], [2, 2], [9, 3, 2, 3]];
  const SYMBOLS = ["circle", "rect", "triangle", "diamond"];
  const ROW = 24, DOT = 5, TITLE = 30, AXIS = 40, GAP = 14, LINES_HEIGHT = 340;

  const data = JSON.parse(document.getElementById("data").textContent);
  const darkness = matchMedia("(prefers-color-scheme: dark)");

  function css(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  function color(candidate) {
    const colors = darkness.matches ? COLORS.dark : COLORS.light;
    return colors[candidate.color % colors.length];
  }

  function escape(text) {
    return String(text).replace(/[&<>"]/g, c => "&#" + c.charCodeAt(0) + ";");
  }

  function nanos(value) {
    const units = [[1e9, " s"], [1e6, " ms"], [1e3, " µs"], [1, " ns"]];
    const [scale, unit] = units.find(([least]) => value >= least * 0.9999) || [1, " ns"];
    return parseFloat((value / scale).toPrecision(3)) + unit;
  }

  function along(axis, value) {
    if (axis === "percentile") {
      return "p" + parseFloat((100 - 100 / value).toPrecision(6));
    }
    if (axis !== "bytes") {
      return Math.round(value * 100) / 100 >= 1000 ? Math.round(value).toLocaleString("en") : String(+value.toPrecision(3));
    }
    const power = value >= 1 << 20 ? 20 : value >= 1 << 10 ? 10 : 0;
    return parseFloat((value / (1 << power)).toPrecision(3)) + [" B", " KiB", " MiB"][power / 10];
  }

  // Returns the next of 1, 2, 5, 10, 20 ... at or beyond a value, so that an axis is a little longer than its values
  // need.
  function round(value, up) {
    const steps = [1, 2, 5, 10], power = Math.pow(10, Math.floor(Math.log10(value)));
    const step = up ? steps.find(s => s * power >= value * 0.9999) : steps.slice().reverse().find(s => s * power <= value * 1.0001);
    return step * power;
  }

  // Axes have ticks at decades. At an end that is no decade, the label would overlap the label of the nearest tick.
  function decade(value) {
    return Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-6;
  }

  function scale(points) {
    const least = Math.min(...points.map(p => p.min)), most = Math.max(...points.map(p => p.max));
    const min = round(least * 0.8, false), max = round(most, true);
    return {min: min, max: max / min < 10 ? round(min * 10, true) : max};
  }

  // The label after a dot; it has the ratio, and its interval, only if there is enough space.
  function label(point, width) {
    const ratio = width < 440 || point.baseline || point.times === "-" ? "" : "  " + (width < 760 ? point.times : point.ratio);
    return point.text + ratio;
  }

  function tip(rows) {
    const head = "<tr><th></th><th>ns</th><th>min..max</th><th>CPU ns</th><th>B/op</th><th>against the baseline</th></tr>";
    return "<table class=\"tip\">" + head + rows.map(([candidate, p]) =>
      "<tr><th><span style=\"color:" + color(candidate) + "\">&#9632;</span> " + escape(candidate.name) + "</th><td><b>"
      + [p.text + "</b>", p.range, p.cpu, p.bytes].join("</td><td>")
      + "</td><td" + (p.uncertain ? " class=\"uncertain\"" : "") + ">" + escape(p.ratio) + "</td></tr>"
      + (p.note === "" ? "" : "<tr><td class=\"warning\" colspan=\"6\">" + escape(p.note) + "</td></tr>")).join("") + "</table>";
  }

  function draw(chart) {
    const element = document.getElementById(chart.id);
    const keys = element.parentElement.querySelector(".keys");
    const points = chart.panels.flatMap(panel => panel.points);
    const y = scale(points);
    const hidden = new Set();
    let instance = null;

    // The layout of the panels: rectangles for the plots, and the total height.
    function layout(width) {
      const lines = chart.axis !== undefined;
      const panels = chart.panels.length;
      const least = lines ? 420 : 460;
      const columns = Math.max(1, Math.min(panels, Math.floor(width / least), 3));
      const cell = width / columns;
      const names = Math.max(...chart.candidates.map(c => c.name.length)) * 7 + 24;
      const left = lines ? 58 : Math.min(names, Math.max(96, cell * 0.4));
      const right = lines ? 30 : Math.min(cell * 0.4, Math.max(...points.map(p => label(p, cell).length)) * 7 + 20);
      const boxes = [];
      let top = 0;
      for (let i = 0; i < panels; i += columns) {
        const row = chart.panels.slice(i, i + columns);
        const height = lines ? LINES_HEIGHT : Math.max(...row.map(panel => panel.points.length)) * ROW;
        row.forEach((panel, j) => boxes.push({
          titleLeft: j * cell + (lines ? 8 : left),
          titleTop: top + 4,
          left: j * cell + left,
          top: top + TITLE,
          width: cell - left - right,
          height: lines ? height : panel.points.length * ROW,
          names: left - 10,
          cell: cell
        }));
        top += TITLE + height + AXIS + GAP;
      }
      return {boxes: boxes, height: top};
    }

    function nanosAxis(index, box) {
      return {
        type: "log", gridIndex: index, min: y.min, max: y.max,
        axisLabel: {formatter: nanos, color: css("--quiet"), hideOverlap: true, showMinLabel: decade(y.min), showMaxLabel: decade(y.max)},
        axisLine: {show: false}, axisTick: {show: false}, minorTick: {show: false},
        splitLine: {lineStyle: {color: css("--line")}},
        splitNumber: Math.max(2, Math.floor(box.width / 80))
      };
    }

    function dotPanel(option, panel, box, index, marks) {
      option.xAxis.push(nanosAxis(index, box));
      option.yAxis.push({
        type: "category", gridIndex: index, inverse: true, data: panel.points.map(p => chart.candidates[p.candidate].name),
        axisLabel: {color: css("--ink"), interval: 0, width: box.names, overflow: "truncate", fontSize: 12},
        axisLine: {lineStyle: {color: css("--line")}}, axisTick: {show: false},
        splitLine: {show: true, lineStyle: {color: css("--line"), type: "dotted"}}
      });
      const baseline = panel.points.find(p => p.baseline);
      option.series.push({
        type: "custom", xAxisIndex: index, yAxisIndex: index, clip: false,
        data: panel.points.map((p, i) => [p.ns, i, p.min, p.max]),
        encode: {x: [0, 2, 3], y: 1},
        tooltip: {formatter: item => {
          const p = panel.points[item.dataIndex];
          return escape(panel.title) + tip([[chart.candidates[p.candidate], p]]) + p.forks + (p.forks === 1 ? " fork" : " forks");
        }},
        renderItem: (params, api) => {
          const p = panel.points[params.dataIndex];
          const at = value => api.coord([value, params.dataIndex])[0];
          const middle = api.coord([p.ns, params.dataIndex])[1], paint = color(chart.candidates[p.candidate]);
          marks.push(1);
          const whisker = {stroke: paint, lineWidth: 2, fill: null};
          const line = (x1, y1, x2, y2, style) => ({type: "line", silent: true, shape: {x1: x1, y1: y1, x2: x2, y2: y2}, style: style});
          const children = [
            line(at(p.min), middle, at(p.max), middle, whisker),
            line(at(p.min), middle - 4, at(p.min), middle + 4, whisker),
            line(at(p.max), middle - 4, at(p.max), middle + 4, whisker)
          ];
          children.push({type: "circle", shape: {cx: at(p.ns), cy: middle, r: DOT},
            style: {fill: p.note === "" ? paint : css("--paper"), stroke: paint, lineWidth: 2}});
          children.push({type: "text", silent: true, style: {text: label(p, box.cell), x: Math.max(at(p.max), at(p.ns)) + DOT + 6, y: middle,
            fill: css(p.uncertain ? "--faint" : "--ink"), textVerticalAlign: "middle", font: "12px system-ui, sans-serif"}});
          if (params.dataIndex === 0 && baseline) {
            children.unshift(line(at(baseline.ns), params.coordSys.y, at(baseline.ns), params.coordSys.y + params.coordSys.height,
              {stroke: css("--faint"), lineWidth: 1, lineDash: [3, 3]}));
          }
          return {type: "group", children: children};
        }
      });
    }

    function linePanel(option, panel, box, index, marks) {
      const xs = points.map(p => p.x);
      option.xAxis.push({
        type: "log", logBase: chart.axis === "bytes" ? 2 : 10, gridIndex: index, min: Math.min(...xs), max: Math.max(...xs),
        name: chart.axis, nameLocation: "middle", nameGap: 22, nameTextStyle: {color: css("--quiet")},
        axisLabel: {formatter: value => along(chart.axis, value), color: css("--quiet"), hideOverlap: true},
        axisLine: {onZero: false, lineStyle: {color: css("--line")}}, axisTick: {show: false}, splitLine: {show: false},
        axisPointer: {label: {show: false}}
      });
      option.yAxis.push(nanosAxis(index, box));
      chart.candidates.forEach((candidate, number) => {
        const own = panel.points.filter(p => p.candidate === number).sort((a, b) => a.x - b.x);
        if (own.length === 0 || hidden.has(number)) {
          return;
        }
        marks.push(...own.map(() => 1));
        option.series.push({
          type: "line", name: String(number), xAxisIndex: index, yAxisIndex: index, data: own.map(p => [p.x, p.ns]),
          symbol: SYMBOLS[candidate.shade % SYMBOLS.length], symbolSize: 6, emphasis: {focus: "series"},
          itemStyle: {color: color(candidate)},
          lineStyle: {color: color(candidate), width: 2, type: DASHES[candidate.shade % DASHES.length]}
        });
        option.series.push({
          type: "custom", name: "", silent: true, xAxisIndex: index, yAxisIndex: index, clip: true,
          tooltip: {show: false}, data: own.map(p => [p.x, p.min, p.max]), encode: {x: 0, y: [1, 2]},
          renderItem: (params, api) => {
            const low = api.coord([api.value(0), api.value(1)]), high = api.coord([api.value(0), api.value(2)]);
            const style = {stroke: color(candidate), lineWidth: 1.2, opacity: .6};
            const line = (x1, y1, x2, y2) => ({type: "line", shape: {x1: x1, y1: y1, x2: x2, y2: y2}, style: style});
            return {type: "group", children: [line(low[0], low[1], high[0], high[1]),
              line(low[0] - 3, low[1], low[0] + 3, low[1]), line(high[0] - 3, high[1], high[0] + 3, high[1])]};
          }
        });
      });
    }

    function tipAlong(items) {
      const panel = chart.panels[items[0].axisIndex];
      const x = items[0].value[0];
      const rows = panel.points.filter(p => p.x === x && !hidden.has(p.candidate)).sort((a, b) => a.ns - b.ns);
      return rows.length === 0 ? "" : escape([panel.title, rows[0].conditions].filter(Boolean).join(", "))
        + tip(rows.map(p => [chart.candidates[p.candidate], p]));
    }

    function render() {
      const plan = layout(element.clientWidth);
      element.style.height = plan.height + "px";
      if (instance) {
        instance.resize();
      } else {
        instance = echarts.init(element, null, {renderer: "svg"});
      }
      const option = {
        animation: false, textStyle: {fontFamily: "system-ui, sans-serif"}, legend: {show: false},
        tooltip: {
          trigger: chart.axis === undefined ? "item" : "axis", confine: true, backgroundColor: css("--raised"),
          borderColor: css("--line"), textStyle: {color: css("--ink"), fontSize: 13},
          axisPointer: {type: "line", snap: true, lineStyle: {color: css("--faint")}}
        },
        title: [], grid: [], xAxis: [], yAxis: [], series: []
      };
      if (chart.axis !== undefined) {
        option.tooltip.formatter = tipAlong;
      }
      const marks = [];
      chart.panels.forEach((panel, index) => {
        const box = plan.boxes[index];
        option.title.push({text: panel.title, left: box.titleLeft, top: box.titleTop,
          textStyle: {color: css("--ink"), fontSize: 13, fontWeight: 600}});
        option.grid.push({left: box.left, top: box.top, width: box.width, height: box.height});
        (chart.axis === undefined ? dotPanel : linePanel)(option, panel, box, index, marks);
      });
      instance.setOption(option, true);
      instance.getZr().flush();
      // The tests of this page read these.
      element.dataset.marks = String(marks.length);
    }

    function key(candidate, number) {
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-pressed", "true");
      button.addEventListener("click", () => {
        const shown = hidden.delete(number) || !hidden.add(number);
        button.setAttribute("aria-pressed", String(shown));
        render();
      });
      const dash = DASHES[candidate.shade % DASHES.length];
      button.innerHTML = "<svg width=\"26\" height=\"10\" aria-hidden=\"true\"><line x1=\"0\" x2=\"26\" y1=\"5\" y2=\"5\" stroke-width=\"2.5\""
        + (dash === "solid" ? "" : " stroke-dasharray=\"" + dash.join(" ") + "\"") + "/></svg>" + escape(candidate.name);
      return button;
    }

    if (chart.axis !== undefined) {
      chart.candidates.forEach((candidate, number) => keys.append(key(candidate, number)));
    }
    const paint = () => keys.querySelectorAll("line").forEach((line, number) =>
      line.setAttribute("stroke", color(chart.candidates[number])));
    paint();
    render();
    darkness.addEventListener("change", () => { paint(); render(); });
    let width = element.clientWidth;
    addEventListener("resize", () => {
      if (element.clientWidth !== width) {
        width = element.clientWidth;
        render();
      }
    });
  }

  // A link to what is folded opens it.
  document.querySelectorAll(".links a").forEach(link =>
    link.addEventListener("click", () => { document.querySelector(link.hash).open = true; }));
  data.charts.forEach(draw);
})();
