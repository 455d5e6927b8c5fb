// Draws a matrix of values as cells: the stronger the colour, the larger the
// value, which stands in the cell. A cell without one is hatched.
const heatmapPainter = (colour, fontFamily, measure, cut) => {
  "use strict";
  const widest = (text) => Math.max(...text.split("\n").map(measure));
  // A value that has no room in one line takes two, or else stands upright, or
  // else is left to the tooltip and the table.
  const fit = (text, { width, height }) => [
    { text, rotation: 0, room: width }, { text: text.replace(" ", "\n"), rotation: 0, room: width }, { text, rotation: Math.PI / 2, room: height },
  ].find((t) => widest(t.text) <= t.room - 6) || { text: "", rotation: 0 };

  const cell = (told) => (params, api) => {
    const [x, y] = api.coord([api.value(0), api.value(1)]).map(Math.round);
    const [w, h] = api.size([1, 1]);
    const shape = { x: Math.round(x - w / 2), y: Math.round(y - h / 2), width: Math.max(1, Math.floor(w) - 2), height: Math.floor(h) - 2 };
    const share = api.value(2);
    const filled = [{ type: "rect", shape, style: { fill: colour("heat-low") } }];
    if (share > 0) filled.push({ type: "rect", shape, style: { fill: colour("heat-high"), opacity: share } });
    const empty = [{ type: "rect", shape, style: { fill: "transparent" } }, { type: "path", shape: { d: hatch(1, shape, 8) }, style: { fill: "none", stroke: colour("grid"), lineWidth: 1.5 } }];
    const edge = { type: "rect", shape, style: { fill: "none", stroke: colour("axis"), lineWidth: 1 } };
    const { text, rotation } = fit(told[params.dataIndex], shape);
    const style = { text, align: "center", verticalAlign: "middle", fill: colour("ink"), fontSize: 12, lineHeight: 15, fontFamily };
    return { type: "group", children: (Number.isNaN(share) ? empty : filled).concat(edge, { type: "text", x, y: y - 1, rotation, style }) };
  };

  const panels = ({ heatmap, option }) => option.series.map((s, i) => ({ ...s, animation: false, emphasis: { disabled: true }, renderItem: cell(heatmap.told[i]) }));

  // Words have the room of their cells; what is longer is cut, and the tooltip
  // has it in full.
  function fitted({ option }, width) {
    const beside = Math.min(220, width * 0.34);
    const rows = (text) => cut(text, beside, 2);
    const used = Math.min(beside, Math.max(...option.yAxis[0].data.map((text) => widest(rows(text)))));
    const room = width - used - 50;
    const under = room / option.xAxis[0].data.length - 8;
    const columns = (text) => cut(text, under, 3);
    const lines = Math.max(...option.xAxis[0].data.map((text) => columns(text).split("\n").length));
    const label = (formatter, most) => ({ axisLabel: { interval: 0, hideOverlap: false, width: most + 6, overflow: "truncate", formatter } });
    return {
      xAxis: option.xAxis.map(() => ({ ...label(columns, under), nameGap: 11 + 15 * lines, nameTruncate: { maxWidth: room + 40, ellipsis: "…" } })),
      yAxis: option.yAxis.map(() => label(rows, used + 1)),
    };
  }

  const words = ({ heatmap, option }) => ({ seriesName, seriesIndex, dataIndex, value }) => [
    ...(seriesName === heatmap.value ? [] : [seriesName]),
    `${heatmap.down}: ${option.yAxis[0].data[value[1]]}`, `${heatmap.across}: ${option.xAxis[0].data[value[0]]}`,
    `${heatmap.value}: ${heatmap.told[seriesIndex][dataIndex]}`,
  ].join("\n");

  return { panels, fitted, words };
};
