// Draws strips of a heap as cells. What a cell consists of lies in it layer
// over layer, each as dense as its share of those up to it: so it has the mean
// of their colours, weighted by the shares, whatever the colours are.
const heapPainter = (colour, format) => {
  "use strict";
  const cell = (parts) => (_, api) => {
    const [x, y] = api.coord([api.value(0), api.value(1)]).map(Math.round);
    const [w, h] = api.size([1, 1]);
    const left = Math.round(x - w / 2), top = Math.round(y - h / 2);
    const shape = { x: left, y: top, width: Math.max(1, Math.floor(w) - 1), height: Math.floor(h) - 1 };
    let sum = 0;
    const children = [];
    for (let i = 0; i < parts.length; i++) {
      const share = api.value(2 + i);
      sum += share;
      if (share >= 0.0005) children.push({ type: "rect", shape, style: { fill: colour("part-" + i), opacity: share / sum } });
    }
    return { type: "group", children };
  };

  const panels = ({ heap, option }) => option.series.map((s) => ({ ...s, animation: false, emphasis: { disabled: true }, renderItem: cell(heap.parts) }))
    // The legend knows names and colours of series only.
    .concat(heap.parts.map((name, i) => ({ type: "custom", name, data: [], renderItem() {}, itemStyle: { color: colour("part-" + i) } })));

  const words = ({ heap, option }) => ({ seriesName, value }) => [
    seriesName, `${heap.down}: ${option.yAxis[0].data[value[1]]}`, `${heap.across}: ${option.xAxis[0].data[value[0]]}`,
    ...heap.parts.map((name, i) => name + ": " + format(Math.round(value[2 + i] * 1000) / 10, "%")),
  ].join("\n");

  return { panels, words };
};
