// Bars of parts: the hatches on the parts, the text at the end of each bar, and
// what a tooltip says of them. A hidden part leaves its place to the next one.
const stackPainter = (colour, fontFamily, measure, barSpace) => {
  "use strict";
  const values = (config, series) => config.option.series[series].data.map(({ value }) =>
    config.horizontal ? [value[1], Number(value[0])] : [value[0], Number(value[1])]);

  // Where the parts that are shown begin and end: category, from, to.
  function spans(config, hidden) {
    const ends = new Map();
    return config.stack.parts.map((series) => values(config, series).flatMap(([at, value]) => {
      if (hidden(series) || Number.isNaN(value)) return [];
      const key = at + (value < 0 ? "-" : "+");
      const from = ends.get(key) || 0;
      ends.set(key, from + value);
      return [[at, from, from + value]];
    }));
  }

  function lines(config, number, api) {
    const at = api.value(0);
    const place = (value) => api.coord(config.horizontal ? [value, at] : [at, value]);
    const { offset, width } = api.barLayout({ ...barSpace, count: config.bars })[0];
    const [x1, y1] = place(api.value(1)), [x2, y2] = place(api.value(2));
    const box = config.horizontal
      ? { x: Math.min(x1, x2), y: y1 + offset, width: Math.abs(x2 - x1), height: width }
      : { x: x1 + offset, y: Math.min(y1, y2), width, height: Math.abs(y2 - y1) };
    return { type: "path", shape: { d: hatch(number, box, 8) }, style: { stroke: colour("raised"), fill: "none", lineWidth: 1.5 } };
  }

  function end(config, api) {
    const [x, y] = api.coord(config.horizontal ? [api.value(1), api.value(0)] : [api.value(0), api.value(1)]);
    const text = config.stack.ends[api.value(0)];
    const place = config.horizontal ? { x: x + 6, y, verticalAlign: "middle" } : { x, y: y - 5, align: "center", verticalAlign: "bottom" };
    return { type: "text", style: { text, ...place, fill: colour("ink"), fontSize: 12, lineHeight: 15, fontFamily } };
  }

  // Where the texts at the ends stand: category, end.
  const tops = (config) => {
    const all = spans(config, () => false).flat();
    return values(config, config.stack.parts[0]).map(([at]) => [at, Math.max(0, ...all.filter((s) => s[0] === at).map((s) => s[2]))]);
  };

  // The series that lie upon the bars; selected is that of the legend. What is
  // said of whole bars is not said while a part of them is hidden.
  function over(config, selected) {
    const { parts } = config.stack;
    const hidden = (series) => selected[config.option.series[series].name] === false;
    const own = { type: "custom", silent: true, animation: false, tooltip: { show: false } };
    const encode = (last) => config.horizontal ? { x: last, y: 0 } : { x: 0, y: last };
    const all = spans(config, hidden).map((data, number) => ({
      ...own, name: config.option.series[parts[number]].name, z: 3, encode: encode([1, 2]), data,
      renderItem: (_, api) => lines(config, number, api),
    })).slice(1); // the first part has no lines
    if (parts.some(hidden)) return all;
    return all.concat({ ...own, z: 6, clip: false, encode: encode(1), data: tops(config), renderItem: (_, api) => end(config, api) });
  }

  // Room for the texts at the ends: beside lying bars, over upright ones.
  function room({ stack, horizontal, option }) {
    const texts = stack.ends.filter((text) => text !== "");
    if (texts.length === 0) return {};
    if (!horizontal) return { yAxis: option.yAxis.map(() => ({ boundaryGap: [0, "12%"] })) };
    const right = Math.max(28, 14 + Math.max(...texts.flatMap((text) => text.split("\n")).map(measure)));
    return { grid: option.grid.map((g) => ({ ...g, right })) };
  }

  // What a tooltip says of a part, null for another series, and after all of
  // those that it has found.
  const said = ({ stack }, series, at) => {
    const part = stack.parts.indexOf(series);
    return part < 0 ? null : stack.told[part][at];
  };
  const total = ({ stack }, found, at) =>
    stack.total && stack.parts.every((series) => found.some((p) => p.seriesIndex === series)) ? [stack.total + ": " + stack.totals[at]] : [];

  return { over, room, said, total };
};
