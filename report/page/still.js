// Draws one figure where there is no page and returns its SVG. Its colours are
// references to those of the page's style.
const still = (text, width) => {
  "use strict";
  // How wide a text is in a wide font, so that it has room in any.
  const em = (c) => /[ijlI.,:;'|!()\[\]]/.test(c) ? 0.39 : /[mwMW%@×]/.test(c) ? 0.96 : /[A-Z]/.test(c) ? 0.72 : c === " " ? 0.33 : c < "\u2e80" ? 0.615 : 1;
  const measure = (words) => Array.from(words).reduce((sum, c) => sum + em(c), 0) * 12;
  echarts.setPlatformAPI({ measureText: (words, font) => ({ width: measure(words) * (parseFloat((/([\d.]+)px/.exec(font) || [0, 12])[1]) / 12) }) });

  // A shape of ten pixels in the middle of a glyph, whose ends it marks.
  const shapes = {
    bar: [0, 0, "h10v10h-10z"], rect: [1, 1, "h8v8h-8z"], circle: [5, 1, "a4 4 0 1 0 0 8a4 4 0 1 0 0 -8z"], triangle: [5, 1, "l4.5 8h-9z"], diamond: [5, 0, "l5 5l-5 5l-5 -5z"],
  };
  const icon = (name, number, glyph) => {
    const [x, y, path] = shapes[name];
    const lines = hatch(number, { x: glyph / 2 - 5, y: 0, width: 10, height: 10 }, 5);
    return `path://M0 5l0 0M${glyph} 5l0 0M${x + glyph / 2 - 5} ${y}${path}${lines}`;
  };

  const paint = painter((name) => "var(--" + name + ")", "sans-serif", measure);
  const config = paint.read(text);
  const all = paint.options(config, width);

  // The legend stands above, in as many lines as its names take.
  const row = 20, gap = 20;
  const glyph = config.legend.some((e) => !e.shape) ? 30 : 12;
  const most = width - 20;
  const lines = [];
  let used = 0;
  const pale = { borderColor: "var(--raised)", borderWidth: 1.5 };
  for (const { name, shape, hatch: number = 0 } of config.legend) {
    const room = glyph + 5 + measure(name) + gap;
    if (lines.length === 0 || used + room > most) {
      lines.push([]);
      used = 0;
    }
    lines[lines.length - 1].push(shape ? { name, icon: icon(shape, number, glyph), ...(number > 0 && { itemStyle: pale }) } : { name });
    used += room;
  }
  const short = (name) => {
    const all = Array.from(name);
    while (measure(all.join("") + "…") > most - glyph - 5) all.pop();
    return all.join("") + "…";
  };
  const above = lines.length > 0 ? lines.length * row + 6 : 0;
  all.legend = lines.length === 0 ? { show: false } : lines.map((data, i) => ({
    show: true, data, left: 10, top: 8 + i * row, width: 2 * width, padding: 0, align: "left", itemGap: gap, itemWidth: glyph, itemHeight: 10, selectedMode: false,
    textStyle: { ...paint.theme().textStyle, fontSize: 12, lineHeight: 15 },
    formatter: (name) => (measure(name) > most - glyph - 5 ? short(name) : name),
  }));
  all.grid = all.grid.map((g) => ({ ...g, left: 12, top: Number(g.top) + above }));
  // What is never cut needs no names, which several figures of one page would share.
  for (const s of all.series) s.clip = false;

  const chart = echarts.init(null, paint.theme(), { renderer: "svg", ssr: true, width, height: config.height + above });
  chart.setOption(all);
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
};
