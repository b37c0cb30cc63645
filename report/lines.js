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

  /** How often a line runs over its whole height between two places of a table; `height` is that of a value. */
  function count_sweeps({ y, low, high }, from, to, height) {
    let way = 0,
      last = null,
      bottom = Infinity,
      top = -Infinity;
    for (let i = from; i <= to; ++i) {
      if (y[i] == null) continue;
      const [here, lower, upper] = [y[i], low[i], high[i]].map(height);
      if (last !== null) way += Math.abs(here - last);
      last = here;
      way += 2 * (upper - lower);
      [bottom, top] = [Math.min(bottom, lower), Math.max(top, upper)];
    }
    return top > bottom ? way / (top - bottom) : 0;
  }

  /** The band that a line fills: its extremes within columns of `width` pixels. */
  function envelope(u, index, { y, low, high }, from, to, width) {
    const columns = new Map();
    uPlot.orient(u, index, (series, x, _, scale_x, scale_y, to_x, to_y, left, top, wide, tall) => {
      for (let i = from; i <= to; ++i) {
        if (y[i] == null) continue;
        const at = to_x(x[i], scale_x, wide, left);
        const [upper, lower] = [high[i], low[i]].map((value) => to_y(value, scale_y, tall, top));
        const key = Math.floor(at / width);
        const column = columns.get(key) ?? { start: at, upper, lower };
        columns.set(key, {
          start: column.start,
          end: at,
          upper: Math.min(column.upper, upper),
          lower: Math.max(column.lower, lower),
        });
      }
    });
    const steps = [...columns.values()];
    const corners = (edge) =>
      steps.map((column, i) => {
        const at = i === 0 ? column.start : i === steps.length - 1 ? column.end : (column.start + column.end) / 2;
        return [at, column[edge]];
      });
    const [upper, lower] = [corners('upper'), corners('lower')];
    const stroke = new Path2D(),
      fill = new Path2D();
    const draw = (path, points) => points.forEach(([a, b], i) => (i === 0 ? path.moveTo(a, b) : path.lineTo(a, b)));
    draw(stroke, upper);
    draw(stroke, lower);
    draw(fill, upper.concat(lower.reverse()));
    return { stroke, fill, clip: null, band: null, gaps: null, flags: 3 };
  }

  const closest = 6; // pixels from one swing to the next; closer than that a line would be a block

  /** A line while it can be followed; where it swings too often for that, the band that it fills. */
  function line_or_band(column_of) {
    const straight = uPlot.paths.linear();
    return (u, index, from, to) => {
      const [y, low, high] = [column_of.y, column_of.low ?? column_of.y, column_of.high ?? column_of.y].map(
        (column) => u.data[column],
      );
      const sweeps = count_sweeps({ y, low, high }, from, to, u.scales.y.distr === 3 ? Math.log10 : Number);
      const pitch = u.bbox.width / Math.max(1, sweeps);
      const smallest = closest * uPlot.pxRatio;
      if (pitch > smallest) return { ...straight(u, index, from, to), fill: null };
      // Extremes that are known need no neighbours; those of bare samples come from more than one swing.
      const swings = column_of.low === null ? Math.min(2.5 * pitch, 2 * smallest) : 0;
      return envelope(u, index, { y, low, high }, from, to, Math.max(smallest / 2, swings));
    };
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
  function line_options(line, column_of) {
    if (line.kind === 'lanes') return { label: line.label, scale: 'y', paths: () => null, points: { show: false } };
    const events = line.kind === 'events';
    const many = events && line.y.length > 250;
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
      stroke: () => carom.faded(line.colour, events ? 0.45 : 1),
      fill: events ? undefined : () => carom.faded(line.colour, 0.3),
      paths: !events ? line_or_band(column_of) : many ? () => null : stems,
      points: dots,
    };
  }

  /**
   * Everything that uPlot has to know of the lines: the table, the options of its columns, the bands between them,
   * and for each line which columns it has.
   */
  function arrange_lines(lines, log) {
    const { data, column_of } = tabulate(lines, log);
    const series = data.map(() => ({}));
    const bands = [];
    const edge = { scale: 'y', width: 0, stroke: () => 'transparent', points: { show: false } };
    lines.forEach((line, i) => {
      const { y, high, low } = column_of[i];
      series[y] = line_options(line, column_of[i]);
      if (high === null) return;
      series[high] = { ...edge };
      series[low] = { ...edge };
      bands.push({ series: [high, low], fill: () => carom.faded(line.colour, 0.18) });
    });
    return { data, series, bands, column_of };
  }

  Object.assign(carom, { arrange_lines });
})((window.carom ??= {}));
