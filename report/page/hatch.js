// Lines across a box, which tell areas apart where colours do not: rising,
// falling, both, level and upright ones, in the order of their numbers from 1.
// Lines of one number are in line with each other wherever their boxes are.
const hatch = (number, box, step) => {
  "use strict";
  const { x, y, width, height } = box;
  const right = x + width, bottom = y + height;
  const round = (v) => Math.round(v * 10) / 10;
  const within = (low, high, line) => {
    let path = "";
    for (let at = (Math.floor(low / step) + 1) * step; at < high; at += step) {
      const [x1, y1, x2, y2] = line(at).map(round);
      path += `M${x1} ${y1}L${x2} ${y2}`;
    }
    return path;
  };
  const rising = () => within(x + y, right + bottom, (c) => {
    const from = Math.max(x, c - bottom), to = Math.min(right, c - y);
    return [from, c - from, to, c - to];
  });
  const falling = () => within(x - bottom, right - y, (c) => {
    const from = Math.max(x, c + y), to = Math.min(right, c + bottom);
    return [from, from - c, to, to - c];
  });
  const level = () => within(y, bottom, (c) => [x, c, right, c]);
  const upright = () => within(x, right, (c) => [c, y, c, bottom]);
  return [() => "", rising, falling, () => rising() + falling(), level, upright][number]();
};
