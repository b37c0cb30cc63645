/** Axes for uPlot: quiet lines, short labels, one common power of ten, and decades only on logarithmic scales. */
(function (carom) {
  'use strict';

  const { power_of_ten, minus } = carom.format;
  const font = '11px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

  /** The power of ten to take out of labels up to `largest`: 0 while they are readable as they are. */
  function common_exponent(largest) {
    if (!(largest > 0)) return 0;
    const exponent = Math.floor(Math.log10(largest) + 1e-9);
    return exponent < -2 || exponent > 4 ? exponent : 0;
  }

  const decimals_of = (text) => (text.split('.')[1] ?? '').length;

  /** Labels for the ticks of a linear axis, all with the same number of decimals. */
  function linear_labels(ticks, exponent) {
    const scaled = ticks.map((tick) => tick / 10 ** exponent);
    const step = scaled.length > 1 ? Math.abs(scaled[1] - scaled[0]) : 1;
    const digits = scaled.map((x) => String(Number(((Math.round((x / step) * 1e4) / 1e4) * step).toPrecision(9))));
    const decimals = Math.min(8, Math.max(0, ...digits.map((text) => (text.includes('e') ? 0 : decimals_of(text)))));
    return scaled.map((x) =>
      x
        .toFixed(decimals)
        .replace(/^-(0(?:\.0*)?)$/, '$1')
        .replace('-', minus),
    );
  }

  /** Whole powers of ten from low to high, thinned to at most `most`. */
  function decades(low, high, most) {
    const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
    const stride = Math.max(1, Math.ceil((last - first + 1) / most));
    const found = [];
    for (let e = first; e <= last; ++e) if (e % stride === 0) found.push(10 ** e);
    return found;
  }

  const exponent_of = (x) => Math.round(Math.log10(x));

  /** The look of both axes. */
  function base_axis() {
    return {
      stroke: () => carom.colour('muted'),
      font,
      labelFont: font,
      gap: 6,
      grid: { stroke: () => carom.colour('grid'), width: 1 },
      ticks: { show: false },
      border: { show: false },
    };
  }

  /** Room for the longest label. */
  function axis_width(u, labels) {
    const longest = Math.max(2, ...(labels ?? []).map((label) => label.length));
    return Math.ceil(14 + 6.7 * longest);
  }

  function linear_axis(more = {}) {
    return {
      ...base_axis(),
      ...more,
      values: (u, ticks) => {
        const exponent = common_exponent(Math.max(...ticks.map(Math.abs)));
        if (more.scale === 'y') u.carom_exponent = exponent;
        return linear_labels(ticks, exponent).map((label) =>
          exponent && more.scale !== 'y' && label !== '0' ? label + '·' + power_of_ten(exponent) : label,
        );
      },
    };
  }

  function log_axis(more = {}) {
    return {
      ...base_axis(),
      ...more,
      splits: (u, index, low, high) => decades(low, high, more.most ?? 7),
      filter: (u, ticks) => ticks,
      values: (u, ticks) => ticks.map((tick) => power_of_ten(exponent_of(tick))),
    };
  }

  /** x: time. */
  function time_axis() {
    return linear_axis({ scale: 'x', size: 26, space: 70, label: 't', labelSize: 15, labelGap: 0 });
  }

  /** y, linear or logarithmic. */
  function value_axis(log) {
    return (log ? log_axis : linear_axis)({ scale: 'y', size: axis_width, space: 36 });
  }

  /** Writes the common power of ten above the y axis. For uPlot's draw hook. */
  function draw_exponent(u) {
    if (!u.carom_exponent) return;
    const ratio = uPlot.pxRatio;
    u.ctx.save();
    u.ctx.font = font.replace('11px', 11 * ratio + 'px');
    u.ctx.fillStyle = carom.colour('muted');
    u.ctx.textAlign = 'left';
    u.ctx.textBaseline = 'alphabetic';
    u.ctx.fillText('×' + power_of_ten(u.carom_exponent), 2 * ratio, u.bbox.top - 12 * ratio);
    u.ctx.restore();
  }

  Object.assign(carom, {
    time_axis,
    value_axis,
    linear_axis,
    log_axis,
    base_axis,
    axis_width,
    draw_exponent,
    plot_font: font,
  });
})((window.carom ??= {}));
