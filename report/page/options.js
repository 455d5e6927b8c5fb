// Completes the options of a figure: colours, whiskers, labels that fit. Of the
// page it is told colours, a font and the width of a text, so that it completes
// them also where there is no page. All pixels are those of CSS.
const painter = (colour, fontFamily, measure) => {
  "use strict";
  const barSpace = { barGap: "12%", barCategoryGap: "34%", barMaxWidth: 46 };
  const palette = () => Array.from({ length: 8 }, (_, i) => colour("series-" + i));

  const format = (value, unit) => {
    if (typeof value !== "number") return "n/a";
    const digits = Number(value.toPrecision(4)).toLocaleString("en", { maximumFractionDigits: 9 });
    return unit === "" || unit === "×" ? digits + unit : digits + " " + unit;
  };

  function theme() {
    const text = { color: colour("quiet"), fontSize: 12, lineHeight: 15, fontFamily };
    const axis = {
      axisLine: { lineStyle: { color: colour("axis") } },
      axisTick: { lineStyle: { color: colour("axis") } },
      axisLabel: text,
      nameTextStyle: text,
      splitLine: { lineStyle: { color: colour("grid") } },
      minorSplitLine: { show: false },
    };
    const category = { ...axis, splitLine: { show: false } };
    return {
      color: palette(), backgroundColor: "transparent",
      textStyle: { color: colour("ink"), fontFamily },
      categoryAxis: category, valueAxis: axis, logAxis: axis,
    };
  }

  // The ends of an interval and the line between them, across the point or bar.
  function whiskers(config, w, colours) {
    const flip = config.horizontal;
    const isBar = w.bar >= 0;
    const stroke = isBar ? colour("ink") : colours[config.styles[w.series] % colours.length];
    return {
      type: "custom", name: config.option.series[w.series].name, data: w.points, silent: true, clip: true, z: 5,
      tooltip: { show: false }, encode: flip ? { x: [1, 2], y: 0 } : { x: 0, y: [1, 2] },
      renderItem(_, api) {
        const at = api.value(0);
        const place = (value) => api.coord(flip ? [value, at] : [at, value]);
        const aside = isBar ? api.barLayout({ ...barSpace, count: config.bars })[w.bar].offsetCenter : config.shifts[w.series];
        const line = (from, to, along) => {
          const [x1, y1] = from, [x2, y2] = to;
          return flip
            ? { x1: x1, y1: y1 + aside - along, x2: x2, y2: y2 + aside + along }
            : { x1: x1 + aside - along, y1: y1, x2: x2 + aside + along, y2: y2 };
        };
        const low = place(api.value(1)), high = place(api.value(2));
        const style = { stroke, fill: "none", lineWidth: 1.5 };
        return {
          type: "group",
          children: [line(low, high, 0), line(low, low, 4), line(high, high, 4)].map((shape) => ({ type: "line", shape, style })),
        };
      },
    };
  }

  // Ratios are read by the side of 1 on which they lie.
  const one = (config) => ({
    silent: true, symbol: "none", animation: false, label: { show: false }, emphasis: { disabled: true },
    lineStyle: { color: colour("quiet"), type: "dashed", width: 1 },
    data: [config.horizontal ? { xAxis: 1 } : { yAxis: 1 }],
  });

  // A tooltip of plain text: markup in it would need styles that the policy forbids.
  function tooltip(config) {
    const lines = (found) => {
      const all = Array.isArray(found) ? found : [found];
      const [value, at] = config.horizontal ? [0, 1] : [1, 0];
      const isCategory = typeof all[0].axisValue === "string" || config.categories;
      const head = isCategory ? config.categories[all[0].value[at]] : format(all[0].value[at], config.xUnit);
      return [head, ...all.map((p) => {
        const known = config.whiskers.find((w) => w.series === p.seriesIndex);
        const ends = known && known.points.find((q) => q[0] === p.value[at] && q[1] <= p.value[value] && p.value[value] <= q[2]);
        const interval = ends ? ` [${format(ends[1], "")}, ${format(ends[2], "")}]` : "";
        const part = config.stack ? parts.said(config, p.seriesIndex, p.value[at]) : null;
        return (p.seriesName ? p.seriesName + ": " : "") + (part || format(p.value[value], config.yUnit) + interval);
      }), ...(config.stack ? parts.total(config, all, all[0].value[at]) : [])].join("\n");
    };
    const points = config.cells || config.option.series.every((s) => s.type === "scatter");
    return {
      trigger: points ? "item" : "axis", renderMode: "richText", confine: true, formatter: config.cells ? config.cells.words(config) : lines,
      axisPointer: { type: config.bars > 0 ? "shadow" : "line" },
      backgroundColor: colour("raised"), borderColor: colour("axis"), borderWidth: 1, padding: [7, 10],
      textStyle: { color: colour("ink"), fontSize: 12, lineHeight: 17 },
    };
  }

  // Words beside lying bars take less than half of the width, in several lines if need be.
  function wrap(text, room) {
    let line = "";
    const lines = [];
    for (const word of text.split(" ")) {
      if (line && measure(line + " " + word) > room) {
        lines.push(line);
        line = "";
      }
      line += (line && " ") + word;
    }
    return lines.concat(line).join("\n");
  }
  // The same in a few lines.
  const cut = (text, room, most) => {
    const lines = wrap(text, room).split("\n");
    return lines.length <= most ? lines.join("\n") : lines.slice(0, most - 1).concat(lines[most - 1] + "…").join("\n");
  };
  // Bars along a count are labelled at every 2nd, 5th, 10th of it, as there is room.
  function counts(axis, width) {
    const all = axis.data.map((text) => Number(text.replaceAll(",", "")));
    if (all.length < 13 || !all.every(Number.isInteger)) return {};
    const step = [1, 2, 5, 10, 20, 50, 100].find((s) => (all.length / s) * 28 <= width) || 200;
    return { axisLabel: { ...axis.axisLabel, interval: (i) => all[i] % step === 0 } };
  }
  function words(config, width) {
    const room = Math.min(300, width * 0.42);
    const lines = config.categories.flatMap((text) => wrap(text, room).split("\n"));
    const label = config.option.yAxis[0].axisLabel;
    // A word that has no room is cut, or else the bars would have none.
    if (lines.some((line) => measure(line) > room)) return { axisLabel: { ...label, width: room, overflow: "truncate", formatter: (text) => cut(text, room, 3) } };
    return { axisLabel: { ...label, formatter: (text) => wrap(text, room) } };
  }
  const strips = heapPainter(colour, format);
  const matrix = heatmapPainter(colour, fontFamily, measure, cut);
  const parts = stackPainter(colour, fontFamily, measure, barSpace);
  // The axis that fits its labels into the width, and how.
  function fitted(config, width) {
    if (config.heatmap) return matrix.fitted(config, width);
    if (config.heap) return { xAxis: config.option.xAxis.map((a) => counts(a, width)) };
    if (config.horizontal) return { yAxis: words(config, width) };
    return config.categories ? { xAxis: counts(config.option.xAxis[0], width) } : {};
  }

  // Where an axis is labelled, when not where ECharts finds it round; its grid follows.
  const labelled = (axes, ticks) => !ticks ? axes : axes.map((a) => ({
    ...a, axisLabel: { ...a.axisLabel, customValues: ticks }, axisTick: { ...a.axisTick, customValues: ticks },
  }));

  // What the data leaves to be said of a figure.
  function read(text) {
    const config = JSON.parse(text);
    config.whiskers = config.whiskers || [];
    const across = config.option[config.horizontal ? "yAxis" : "xAxis"][0];
    config.categories = across.type === "category" ? across.data : null;
    config.cells = config.heap ? strips : config.heatmap ? matrix : null;
    return config;
  }

  // Panels of cells, one beneath the other.
  function panels(config, width) {
    const { xAxis, yAxis = [] } = fitted(config, width);
    const across = (a, i) => ({ ...a, axisTick: { show: false }, ...xAxis[i] });
    const down = (a, i) => ({ ...a, axisTick: { show: false }, nameTextStyle: { align: "left", color: colour("ink"), fontWeight: 600 }, ...yAxis[i] });
    return {
      ...config.option, animation: false, tooltip: tooltip(config), series: config.cells.panels(config),
      xAxis: config.option.xAxis.map(across), yAxis: config.option.yAxis.map(down),
    };
  }

  // selected says which series the legend shows; all when it is left out.
  function options(config, width, selected = {}) {
    if (config.cells) return panels(config, width);
    const colours = palette();
    const series = config.option.series.map((s, i) => {
      const own = colours[config.styles[i] % colours.length];
      const drawn = { ...s, animation: false, itemStyle: { color: own }, emphasis: { disabled: true } };
      if (s.type === "bar") Object.assign(drawn, barSpace);
      if (s.type === "line") drawn.lineStyle = { ...s.lineStyle, color: own };
      if (s.type === "scatter") drawn.z = 4;
      if (s.type === "scatter") drawn.symbolOffset = config.horizontal ? [0, config.shifts[i]] : [config.shifts[i], 0];
      if (config.yUnit === "×" && i === 0) drawn.markLine = one(config);
      return drawn;
    });
    const { grid = config.option.grid, yAxis: gap = [] } = config.stack ? parts.room(config) : {};
    const { xAxis, yAxis } = fitted(config, width);
    const across = config.option.xAxis.map((a) => ({ ...a, ...xAxis }));
    const upward = config.option.yAxis.map((a, i) => ({ ...a, ...yAxis, ...gap[i], nameTextStyle: a.nameLocation === "end" ? { align: "left" } : {} }));
    const over = config.stack ? parts.over(config, selected) : [];
    return {
      ...config.option, animation: false, tooltip: tooltip(config), grid,
      xAxis: labelled(across, config.xTicks), yAxis: labelled(upward, config.yTicks),
      series: series.concat(config.whiskers.map((w) => whiskers(config, w, colours)), over),
    };
  }

  return { read, theme, fitted, options };
};
