// Copies and saves figures: as SVG and PNG with the words around them, in the light colours, and as Markdown with the
// rows that they draw. Where a page may not write to the clipboard, the copy is saved as a file instead. Copies the links
// to whatever has an anchor.
(() => {
  "use strict";
  const light = Array.from(document.styleSheets).flatMap((s) => Array.from(s.cssRules)).find((r) => r.selectorText === ":root").style;

  function svg(figure, own) {
    const writer = new XMLSerializer();
    const inner = Array.from(figure.querySelector(".still svg").childNodes, (node) => writer.serializeToString(node)).join("");
    const plain = inner.replaceAll(' xmlns="http://www.w3.org/2000/svg"', "");
    return own.above + plain.replace(/"var\(--([a-z0-9-]+)\)"/g, (_, name) => `"${light.getPropertyValue("--" + name).trim()}"`) + own.beneath;
  }

  // Twice as large, for screens with fine pixels.
  async function png(figure, own) {
    const image = new Image();
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg(figure, own));
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = 2 * image.naturalWidth;
    canvas.height = 2 * image.naturalHeight;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
  }

  const escaped = (text) => text.replace(/\s+/g, " ").trim().replace(/[\\|*_`[\]]/g, "\\$&").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const row = (cells) => "| " + cells.join(" | ") + " |";
  function rows(box, { columns, rows: drawn }) {
    const heads = columns.map((i) => box.querySelectorAll("thead th")[i]);
    const head = heads.map((th) => escaped(th.firstChild.textContent) + (th.querySelector(".unit") ? " (" + escaped(th.querySelector(".unit").textContent) + ")" : ""));
    const line = heads.map((th) => (th.classList.contains("number") ? "---:" : "---"));
    const all = Array.from(box.querySelectorAll("tbody tr"));
    return [row(head), row(line), ...(drawn ? drawn.map((i) => all[i]) : all).map((tr) => row(columns.map((i) => escaped(tr.cells[i].textContent))))];
  }
  function markdown(figure, own) {
    const inside = Array.from(figure.querySelectorAll(".table"));
    const tables = (own.tables || []).map((t) => {
      const box = t.above ? document.getElementById(t.above) : inside.shift();
      return [escaped(t.title), "", ...rows(box, t), ""].join("\n");
    });
    return ["**" + escaped(own.title) + "**", "", ...tables, escaped(own.caption), "", escaped(own.source), "", "    " + own.command, ""].join("\n");
  }

  const kinds = {
    SVG: { ending: ".svg", type: "image/svg+xml", make: svg },
    PNG: { ending: ".png", type: "image/png", make: png },
    Markdown: { ending: ".md", type: "text/markdown", make: markdown },
  };

  function save(name, blob) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    return "saved as " + name;
  }

  // A browser without a clipboard for this page may still copy what is selected.
  function copySelected(text) {
    const area = document.createElement("textarea");
    area.name = "copied";
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    if (!copied) throw new Error("not copied");
  }
  const copyText = (text) => (navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(new Error("no clipboard"))).catch(() => copySelected(text));

  async function take(figure, own, what, kind) {
    const name = own.name + kind.ending;
    const made = kind.make(figure, own);
    const blob = async () => new Blob([await made], { type: kind.type });
    if (what === "save") return save(name, await blob());
    try {
      if (kind === kinds.PNG) await navigator.clipboard.write([new ClipboardItem({ [kind.type]: blob() })]);
      else await copyText(await made);
      return "copied";
    } catch {
      return save(name, await blob()) + ", since this browser does not let the page copy";
    }
  }

  const say = (where, text) => {
    where.textContent = text;
    setTimeout(() => { if (where.textContent === text) where.textContent = ""; }, 8000);
  };
  for (const bar of document.querySelectorAll(".take")) {
    const figure = bar.closest("figure");
    const own = JSON.parse(bar.querySelector("script").textContent);
    bar.hidden = false;
    bar.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      take(figure, own, button.dataset.what, kinds[button.dataset.kind])
        .catch((error) => "not done: " + error.message)
        .then((text) => say(bar.querySelector("output"), text));
    });
  }

  // A link to a place is followed as ever, and its address copied.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a.place");
    if (!link) return;
    copyText(link.href).then(() => { link.dataset.said = "link copied"; }, () => { link.dataset.said = "its address is in the address bar"; })
      .then(() => setTimeout(() => delete link.dataset.said, 4000));
  });

  // What a link leads to is unfolded.
  const unfold = () => {
    const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = place; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    if (place && location.hash) place.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  unfold();
})();
