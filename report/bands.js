/** Lines with bands of quantiles around them, and histograms, in uPlot. */
(function (carom) {
  'use strict';

  const { format } = carom;

  /** The range of all numbers that are drawn, with some room. */
  function range_of(columns, log) {
    let [low, high] = [Infinity, -Infinity];
    for (const column of columns)
      for (const x of column)
        if (Number.isFinite(x) && (!log || x > 0)) {
          low = Math.min(low, x);
          high = Math.max(high, x);
        }
    if (!(low <= high)) return log ? [0.1, 1] : [0, 1];
    if (log) return [low / 1.5, high * 1.5];
    const room = high > low ? 0.05 * (high - low) : 0.05 * Math.abs(low) || 1;
    return [low - room, high + room];
  }

  /** One line of a band, with the levels around it where there are five of them. */
  function series_of(line, log) {
    const edge = { scale: 'y', width: 0, points: { show: false } };
    const dense = line.columns[0].length > 60;
    const middle = {
      scale: 'y',
      width: 1.5,
      stroke: () => carom.colour(line.colour),
      points: { show: !dense, size: 5, fill: () => carom.colour(line.colour) },
    };
    const clean = (column) => Array.from(column, (x) => (Number.isFinite(x) && (!log || x > 0) ? x : null));
    const columns = line.columns.map(clean);
    return { columns, series: columns.map((_, k) => (k === Math.floor(columns.length / 2) ? middle : edge)) };
  }

  /** Fills between the first and the last level, and darker between the second and the last but one. */
  function bands_of(lines) {
    const bands = [];
    let next = 1;
    for (const line of lines) {
      const n = line.columns.length;
      for (let k = 0; k < Math.floor(n / 2); ++k)
        bands.push({ series: [next + n - 1 - k, next + k], fill: () => carom.faded(line.colour, 0.18) });
      next += n;
    }
    return bands;
  }

  const middle_of = (line) => line.columns[Math.floor(line.columns.length / 2)];

  /** What is said of a line at one place: its value, or the quantiles. */
  function values_at(line, i) {
    if (line.columns.length === 1) return format.number(line.columns[0][i], 5);
    const [low, high] = [line.columns[0][i], line.columns.at(-1)[i]];
    return `${format.number(middle_of(line)[i], 4)} (${format.number(low, 3)} to ${format.number(high, 3)})`;
  }

  /**
   * @param {{x: number[], x_axis: object, x_scale: object, x_text: (i: number) => string, x_name: string,
   *          lines: {label: string, colour: string, columns: number[][]}[], log: boolean}} plot
   */
  function make_bands(host, plot, height) {
    const drawn = plot.lines.map((line) => series_of(line, plot.log));
    const range = range_of(
      plot.lines.flatMap((line) => line.columns),
      plot.log,
    );
    const tip = carom.make_tip_plugin((u) => {
      const i = u.cursor.idx;
      if (i === null || i === undefined) return null;
      return [
        { label: plot.x_name, text: plot.x_text(i) },
        ...plot.lines.map((line) => ({ label: line.label, colour: line.colour, text: values_at(line, i) })),
      ];
    });
    const options = {
      width: Math.max(200, host.clientWidth),
      height,
      legend: { show: false },
      padding: [26, 14, 0, 0],
      scales: {
        x: plot.x_scale,
        y: { auto: false, distr: plot.log ? 3 : 1, min: range[0], max: range[1], range: () => range },
      },
      axes: [plot.x_axis, carom.value_axis(plot.log)],
      series: [{}, ...drawn.flatMap(({ series }) => series)],
      bands: bands_of(plot.lines),
      cursor: { drag: { x: false, y: false }, points: { show: false } },
      hooks: { draw: [carom.draw_exponent] },
      plugins: [tip],
    };
    return new uPlot(options, [plot.x, ...drawn.flatMap(({ columns }) => columns)], host);
  }

  /** Counts in equal bins. */
  function make_histogram(host, name, { from, width, counts }, height) {
    const x = counts.map((_, i) => from + (i + 0.5) * width);
    const high = Math.max(...counts) * 1.05;
    const ends = [from, from + counts.length * width];
    const tip = carom.make_tip_plugin((u) => {
      const i = u.cursor.idx;
      if (i === null || i === undefined) return null;
      const text = `${format.number(from + i * width, 4)} to ${format.number(from + (i + 1) * width, 4)}`;
      return [
        { label: name, text },
        { label: 'runs', text: format.count(counts[i]) },
      ];
    });
    const options = {
      width: Math.max(200, host.clientWidth),
      height,
      legend: { show: false },
      padding: [26, 14, 0, 0],
      scales: { x: { time: false, range: () => ends }, y: { range: () => [0, high] } },
      axes: [
        carom.linear_axis({ scale: 'x', size: 28, space: 70, label: name, labelSize: 18, labelGap: 2 }),
        carom.value_axis(false),
      ],
      series: [
        {},
        {
          scale: 'y',
          paths: uPlot.paths.bars({ size: [1, Infinity], gap: 1 }),
          fill: () => carom.faded('run-0', 0.7),
          points: { show: false },
        },
      ],
      cursor: { drag: { x: false, y: false }, points: { show: false } },
      hooks: { draw: [carom.draw_exponent] },
      plugins: [tip],
    };
    return new uPlot(options, [x, counts], host);
  }

  Object.assign(carom, { make_bands, make_histogram });
})((window.carom ??= {}));
