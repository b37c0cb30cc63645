/** One number over two axes, as colours: uPlot draws the axes, the cells are an image below them. */
(function (carom) {
  'use strict';

  const { element, format } = carom;
  /** From dark to light, even to the eye and in grey: viridis (CC0). */
  const stops = ['440154', '46327e', '365c8d', '277f8e', '1fa187', '4ac16d', 'a0da39', 'fde725'].map((hex) =>
    [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)),
  );

  /** The colour of a part of the way from low to high. */
  function colour_at(part) {
    const x = Math.min(Math.max(part, 0), 1) * (stops.length - 1);
    const i = Math.min(Math.floor(x), stops.length - 2);
    return stops[i].map((a, k) => Math.round(a + (x - i) * (stops[i + 1][k] - a)));
  }

  /** Where the axis begins and ends: half a cell beyond its values. */
  function extent_of(axis) {
    const { values, spacing } = axis;
    if (spacing === 'places') return [-0.5, values.length - 0.5];
    const [a, b, y, z] = [values[0], values[1], values.at(-2), values.at(-1)];
    const log = spacing === 'log';
    const ends = log ? [a / Math.sqrt(b / a), z * Math.sqrt(z / y)] : [a - (b - a) / 2, z + (z - y) / 2];
    return ends[0] < ends[1] ? ends : ends.reverse();
  }

  /** The number of the cell at a part of the way along the axis. */
  function cell_at(axis, part) {
    const n = axis.values.length;
    const upward = axis.spacing === 'places' || axis.values[0] < axis.values[n - 1];
    return Math.min(n - 1, Math.max(0, Math.floor((upward ? part : 1 - part) * n)));
  }

  /** Options of uPlot for the scale of a parameter. */
  function scale_of(axis) {
    const [min, max] = extent_of(axis);
    return { time: false, auto: false, distr: axis.spacing === 'log' ? 3 : 1, min, max, range: () => [min, max] };
  }

  /** Options of uPlot for the axis of a parameter. */
  function axis_of(axis, more) {
    if (axis.spacing === 'log') return carom.log_axis({ ...more, label: axis.label });
    if (axis.spacing === 'linear') return carom.linear_axis({ ...more, label: axis.label });
    const most = Math.max(1, Math.ceil(axis.values.length / 12));
    return {
      ...carom.base_axis(),
      ...more,
      label: axis.label,
      splits: () => axis.values.map((_, i) => i).filter((i) => i % most === 0),
      filter: (_, ticks) => ticks,
      values: (_, ticks) => ticks.map((i) => axis.text(i)),
    };
  }

  /** The cells as an image, one pixel each; what has no number is left out. */
  function paint_cells({ x, y, value, low, high, log }) {
    const canvas = element('canvas', { width: x.values.length, height: y.values.length });
    const context = canvas.getContext('2d');
    const image = context.createImageData(canvas.width, canvas.height);
    const scaled = log ? Math.log : (v) => v;
    const [from, to] = [scaled(low), scaled(high)];
    for (let row = 0; row < canvas.height; ++row) {
      for (let column = 0; column < canvas.width; ++column) {
        const i = cell_at(x, (column + 0.5) / canvas.width);
        const k = cell_at(y, 1 - (row + 0.5) / canvas.height);
        const v = scaled(value(i, k));
        if (!Number.isFinite(v)) continue;
        const [r, g, b] = colour_at(to > from ? (v - from) / (to - from) : 0.5);
        image.data.set([r, g, b, 255], 4 * (row * canvas.width + column));
      }
    }
    context.putImageData(image, 0, 0);
    return canvas;
  }

  /** The bar of colours with its ends. */
  function make_bar({ low, high, log }) {
    const gradient = stops.map((_, i) => `rgb(${colour_at(i / (stops.length - 1)).join(' ')})`).join(', ');
    return element(
      'div',
      { class: 'colour-bar' },
      element('span', {}, format.exact(format.rounded(low, 3))),
      element('i', { style: `background: linear-gradient(to right, ${gradient})` }),
      element('span', {}, format.exact(format.rounded(high, 3)) + (log ? ' (logarithmic)' : '')),
    );
  }

  /** A box beside the mouse; `rows_at(left, top)` says what is in it, null for nothing. */
  function make_tip_plugin(rows_at) {
    const box = element('div', { class: 'tip', 'aria-hidden': 'true', hidden: true });
    const update = (u) => {
      const { left, top } = u.cursor;
      const rows = left >= 0 ? rows_at(u, left, top) : null;
      box.hidden = !rows;
      if (!rows) return;
      box.replaceChildren(
        ...rows.map(({ label, text, colour }) => {
          const mark = colour ? carom.swatch({ colour }) : null;
          return element('div', {}, mark, element('span', {}, label), element('b', {}, text));
        }),
      );
      const flip = u.over.clientWidth - left < box.offsetWidth + 24;
      const x = left + (flip ? -box.offsetWidth - 12 : 12);
      const y = Math.max(0, Math.min(top, u.over.clientHeight - box.offsetHeight));
      box.style.transform = `translate(${x}px, ${y}px)`;
    };
    return { hooks: { init: (u) => u.over.append(box), setCursor: update } };
  }

  /**
   * @param {HTMLElement} host
   * @param {{x: object, y: object, name: string, value: (i: number, k: number) => number,
   *          low: number, high: number, log: boolean}} map axes, and the number at places i and k along them
   */
  function make_heatmap(host, map, height) {
    const cells = paint_cells(map);
    const draw = (u) => {
      const { left, top, width, height: tall } = u.bbox;
      u.ctx.imageSmoothingEnabled = false;
      u.ctx.drawImage(cells, left, top, width, tall);
    };
    const tip = make_tip_plugin((u, left, top) => {
      const i = cell_at(map.x, left / u.over.clientWidth);
      const k = cell_at(map.y, 1 - top / u.over.clientHeight);
      return [
        { label: map.x.key, text: map.x.text(i) },
        { label: map.y.key, text: map.y.text(k) },
        { label: map.name, text: format.number(map.value(i, k), 5) },
      ];
    });
    const options = {
      width: Math.max(200, host.clientWidth),
      height,
      legend: { show: false },
      padding: [10, 12, 0, 0],
      scales: { x: scale_of(map.x), y: scale_of(map.y) },
      axes: [
        { ...axis_of(map.x, { scale: 'x', size: 28, space: 60, labelSize: 18, labelGap: 2 }), grid: { show: false } },
        {
          ...axis_of(map.y, { scale: 'y', size: carom.axis_width, space: 36, labelSize: 18, labelGap: 4 }),
          grid: { show: false },
        },
      ],
      series: [{}, { scale: 'y', paths: () => null, points: { show: false } }],
      cursor: { drag: { x: false, y: false }, points: { show: false } },
      hooks: { drawClear: [draw] },
      plugins: [tip],
    };
    return new uPlot(options, [scale_of(map.x).range(), scale_of(map.y).range()], host);
  }

  Object.assign(carom, {
    make_heatmap,
    make_bar,
    make_tip_plugin,
    axis_of_parameter: axis_of,
    scale_of_parameter: scale_of,
  });
})((window.carom ??= {}));
