// Draws the figures from the options beside them. Colours come from the page's
// style, so that one palette serves light and dark.
(() => {
  "use strict";
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const fontFamily = getComputedStyle(document.body).fontFamily;
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = "12px " + fontFamily;
  const paint = painter((name) => getComputedStyle(root).getPropertyValue("--" + name).trim(), fontFamily, (text) => pen.measureText(text).width);

  function figure(box) {
    const config = paint.read(box.querySelector("script").textContent);
    const el = box.querySelector(".chart");
    el.style.height = config.height + "px";
    const own = { box, el, config, chart: null };
    const legend = box.querySelector(".legend");
    if (legend) {
      legend.hidden = false;
      legend.addEventListener("click", (event) => {
        const button = event.target.closest("button");
        if (!button) return;
        const on = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(on));
        own.chart.dispatchAction({ type: on ? "legendSelect" : "legendUnSelect", name: button.dataset.series });
        if (own.config.stack) draw(own); // what lies on the bars moves with them
      });
    }
    return own;
  }

  function draw(own) {
    const selected = own.chart ? own.chart.getOption().legend[0].selected : {};
    if (own.chart) own.chart.dispose();
    own.chart = echarts.init(own.el, paint.theme(), { renderer: "svg" });
    const all = paint.options(own.config, own.el.clientWidth, selected);
    all.legend = { ...all.legend, selected };
    own.chart.setOption(all);
    own.box.classList.add("scripted"); // its still picture gives way
  }

  const figures = Array.from(document.querySelectorAll(".drawn"), figure);
  const redraw = () => figures.forEach(draw);
  redraw();
  dark.addEventListener("change", redraw);
  const watch = new ResizeObserver((entries) => {
    for (const entry of entries) {
      const own = figures.find((f) => f.el === entry.target);
      const width = own.el.clientWidth;
      if (width === 0 || width === own.chart.getWidth()) continue;
      own.chart.resize();
      own.chart.setOption(paint.fitted(own.config, width));
    }
  });
  figures.forEach((f) => watch.observe(f.el));
})();
