/** The lines of a plot over time, brought into one table for uPlot. */
(function (carom) {
  'use strict';

  /** Same times, same table; uPlot.join then merges tables with different times. */
  function tabulate(lines, log) {
    const tables = new Map();
    const places = lines.map((line) => {
      if (!tables.has(line.t)) tables.set(line.t, [line.t]);
      const table = tables.get(line.t);
      const columns = log ? [magnitudes(line)] : line.high ? [line.high, line.low, line.y] : [line.y];
      table.push(...columns);
      line.drawn = columns.at(-1);
      return { line, table, columns };
    });
    const merged = [...tables.values()];
    const data = merged.length === 1 ? merged[0] : uPlot.join(merged);
    const first_of = new Map();
    let next = 1;
    for (const table of merged) {
      first_of.set(table, next);
      next += table.length - 1;
    }
    const column_of = places.map(({ table, columns }) => {
      const first = first_of.get(table) + table.indexOf(columns[0]) - 1;
      return {
        y: first + columns.length - 1,
        high: columns.length > 1 ? first : null,
        low: columns.length > 1 ? first + 1 : null,
      };
    });
    return { data, column_of };
  }

  /** What a logarithmic plot shows: the absolute value, the largest of a stretch where its extremes are known. */
  function magnitudes({ y, low, high }) {
    return y.map((x, i) => Math.max(Math.abs(x ?? 0), Math.abs(low?.[i] ?? 0), Math.abs(high?.[i] ?? 0)) || null);
  }

  /** How often a line runs over its whole height. With more than some 80 times in view only its outline shows. */
  function count_sweeps(y) {
    let way = 0,
      low = Infinity,
      high = -Infinity;
    for (let i = 0; i < y.length; ++i) {
      if (i > 0) way += Math.abs(y[i] - y[i - 1]);
      [low, high] = [Math.min(low, y[i]), Math.max(high, y[i])];
    }
    return high > low ? way / (high - low) : 0;
  }

  /** Vertical lines from zero, for events. */
  function stems(u, index, from, to) {
    const path = new Path2D();
    uPlot.orient(u, index, (series, x, y, scale_x, scale_y, to_x, to_y, left, top, wide, tall) => {
      const zero = to_y(0, scale_y, tall, top);
      for (let i = from; i <= to; ++i) {
        if (y[i] == null) continue;
        const at = to_x(x[i], scale_x, wide, left);
        path.moveTo(at, zero);
        path.lineTo(at, to_y(y[i], scale_y, tall, top));
      }
    });
    return { stroke: path, fill: null, clip: null, band: null, gaps: null, flags: 3 };
  }

  /** A line as uPlot wants it. Events are dots on stems; with many of them dots alone. */
  function line_options(line, [start, end]) {
    if (line.kind === 'lanes') return { label: line.label, scale: 'y', paths: () => null, points: { show: false } };
    const events = line.kind === 'events';
    const many = events && line.y.length > 250;
    const sweeps = events ? 0 : count_sweeps(line.y) / (end - start);
    const is_dense = (u) => sweeps * (u.scales.x.max - u.scales.x.min) > 80;
    const dots = {
      show: events || line.y.length === 1,
      size: many ? 3 : 5,
      width: 0,
      fill: () => carom.colour(line.colour),
    };
    return {
      label: line.label,
      scale: 'y',
      width: events ? 1 : 1.5,
      dash: line.dash,
      stroke: (u) => carom.faded(line.colour, events ? 0.45 : is_dense(u) ? 0.65 : 1),
      ...(events ? { paths: many ? () => null : stems } : {}),
      points: dots,
    };
  }

  /**
   * Everything that uPlot has to know of the lines: the table, the options of its columns, the bands between them,
   * and for each line which columns it has.
   */
  function arrange_lines(lines, log, span) {
    const { data, column_of } = tabulate(lines, log);
    const series = data.map(() => ({}));
    const bands = [];
    const edge = { scale: 'y', width: 0, stroke: () => 'transparent', points: { show: false } };
    lines.forEach((line, i) => {
      const { y, high, low } = column_of[i];
      series[y] = line_options(line, span);
      if (high === null) return;
      series[high] = { ...edge };
      series[low] = { ...edge };
      bands.push({ series: [high, low], fill: () => carom.faded(line.colour, 0.18) });
    });
    return { data, series, bands, column_of };
  }

  Object.assign(carom, { arrange_lines });
})((window.carom ??= {}));
