/** Error against the step, both logarithmic, with fitted lines and their slopes. */
(function (carom) {
  'use strict';

  const { element, format } = carom;
  const height = 400,
    label_room = 92;

  const views = [
    { value: 'error', label: 'error', x: 'h', y: 'error', title: 'Error against the step h' },
    { value: 'energy', label: 'energy error', x: 'h', y: 'energy_error', title: 'Energy error against the step h' },
    { value: 'cost', label: 'cost', x: 'seconds', y: 'error', title: 'Error against computing time in seconds' },
  ];

  /** The points of a series that a logarithmic plot can show, from left to right. */
  function points_of(one, view) {
    return one[view.x]
      .map((x, i) => [x, one[view.y][i]])
      .filter(([x, y]) => x > 0 && y > 0)
      .sort((a, b) => a[0] - b[0]);
  }

  const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

  /** Slope by least squares in logarithms. */
  function fitted_slope(points) {
    if (points.length < 2) return null;
    const [x, y] = [points.map((p) => Math.log(p[0])), points.map((p) => Math.log(p[1]))];
    const [mx, my] = [x, y].map((values) => values.reduce((a, b) => a + b) / values.length);
    const below = x.reduce((sum, v) => sum + (v - mx) ** 2, 0);
    return below > 0 ? x.reduce((sum, v, i) => sum + (v - mx) * (y[i] - my), 0) / below : null;
  }

  /** The line of the slope through the middle of the points: its value at both ends. */
  function fit_of(one, view, points) {
    if (view.x !== 'h' || points.length < 2) return null;
    const slope = view.y === 'error' && one.slope !== null ? one.slope : fitted_slope(points);
    if (slope === null) return null;
    const offset = median(points.map(([x, y]) => Math.log(y) - slope * Math.log(x)));
    const at = (x) => Math.exp(offset + slope * Math.log(x));
    const [first, last] = [points[0][0], points.at(-1)[0]];
    return { slope, t: [first, last], y: [at(first), at(last)] };
  }

  /** Tick marks at the steps themselves, as far apart as their labels need. */
  function step_ticks(values) {
    return (u, index, low, high) => {
      const kept = [];
      for (const value of values.filter((x) => x >= low && x <= high)) {
        const room = u.valToPos(value, 'x') - (kept.length ? u.valToPos(kept.at(-1), 'x') : -Infinity);
        if (room >= 52) kept.push(value);
      }
      return kept;
    };
  }

  /** Slope labels at the right ends of the lines, pushed apart where they would touch. */
  function draw_slopes(lines) {
    return (u) => {
      const ratio = uPlot.pxRatio,
        line_height = 17 * ratio;
      const labels = lines
        .filter(({ fit, shown }) => fit && shown !== false)
        .map(({ fit, colour }) => ({
          text: 'slope ' + fit.slope.toFixed(2),
          colour,
          from: u.valToPos(fit.y[1], 'y', true),
        }))
        .sort((a, b) => a.from - b.from);
      let lowest = u.bbox.top - line_height;
      for (const label of labels) lowest = label.y = Math.max(label.from, lowest + line_height);
      const over = lowest - (u.bbox.top + u.bbox.height);
      if (over > 0) labels.forEach((label) => (label.y -= over));
      const right = u.bbox.left + u.bbox.width;
      u.ctx.save();
      u.ctx.font = `600 ${12 * ratio}px system-ui, sans-serif`;
      u.ctx.textBaseline = 'middle';
      u.ctx.textAlign = 'left';
      for (const { text, colour, y } of labels) {
        u.ctx.fillStyle = carom.colour(colour);
        u.ctx.fillText(text, right + 8 * ratio, y);
      }
      u.ctx.restore();
    };
  }

  function lines_of(convergence, view, state) {
    return convergence.series.map((one, k) => {
      const points = points_of(one, view);
      return {
        label: one.label,
        colour: carom.run_colour(k),
        points,
        fit: fit_of(one, view, points),
        shown: state.converging[k],
      };
    });
  }

  function line_in_words({ label, fit, points }) {
    const smallest = points.length ? Math.min(...points.map((p) => p[1])) : null;
    return `${label}${fit ? ', slope ' + fit.slope.toFixed(2) : ''}, smallest ${format.spoken(smallest)}`;
  }

  /** Two columns a line: its points (joined where no fit joins them), and its fit. */
  function columns_of({ colour, shown, fit }) {
    const solid = () => carom.colour(colour);
    const dots = { show: true, size: 10, width: 1.5, fill: solid, stroke: () => carom.colour('paper') };
    const measured = { scale: 'y', show: shown, width: 1.5, stroke: solid, spanGaps: true, points: dots };
    const fitted = { scale: 'y', show: shown, width: 1.5, dash: [5, 4], spanGaps: true, points: { show: false } };
    return [
      fit ? { ...measured, paths: () => null } : measured,
      { ...fitted, stroke: () => carom.faded(colour, 0.8) },
    ];
  }

  /** Both axes: steps as they are, everything else by decades. */
  function axes_of(view, steps) {
    const labels = { scale: 'x', size: 28, label: view.x === 'h' ? 'step h' : 'seconds', labelSize: 18, labelGap: 2 };
    const at_steps = {
      ...carom.base_axis(),
      splits: step_ticks(steps),
      filter: (_, ticks) => ticks,
      values: (_, ticks) => ticks.map(format.exact),
    };
    const x = view.x === 'h' ? { ...at_steps, ...labels } : carom.log_axis(labels);
    return [x, carom.log_axis({ scale: 'y', size: carom.axis_width, most: 10 })];
  }

  /** A logarithmic scale that stays as it is. */
  function fixed_scale([min, max]) {
    return { distr: 3, time: false, auto: false, min, max, range: (_, low, high) => [low, high] };
  }

  const around = (values) => [
    carom.decade_below(Math.min(...values)),
    10 * carom.decade_below(Math.max(...values) * (1 - 1e-9)),
  ];

  function build_plot(host, convergence, view, state) {
    const lines = lines_of(convergence, view, state);
    const tables = lines.flatMap(({ points, fit }) => [
      [points.map((p) => p[0]), points.map((p) => p[1])],
      fit ? [fit.t, fit.y] : [[], []],
    ]);
    const steps = [...new Set(lines.flatMap(({ points }) => points.map((p) => p[0])))].sort((a, b) => a - b);
    const errors = lines.flatMap(({ points }) => points.map((p) => p[1]));
    const by_step = view.x === 'h';
    const options = {
      width: Math.max(200, host.clientWidth),
      height,
      ms: 1,
      legend: { show: false },
      padding: [14, by_step ? label_room : 24, 0, 0],
      scales: {
        x: fixed_scale(by_step ? [steps[0] / 1.15, steps.at(-1) * 1.15] : around(steps)),
        y: fixed_scale(around(errors)),
      },
      axes: axes_of(view, steps),
      series: [{}, ...lines.flatMap(columns_of)],
      cursor: { show: false },
      hooks: { draw: [draw_slopes(lines)] },
    };
    host.setAttribute('aria-label', `${view.title}: ${lines.map(line_in_words).join('; ')}.`);
    return new uPlot(options, uPlot.join(tables), host);
  }

  /** Fills the section with plot and table. */
  function start_convergence(section, convergence, state) {
    state.converging = convergence.series.map(() => true);
    const usable = views.filter((view) => convergence.series.some((one) => points_of(one, view).length));
    if (usable.length === 0) {
      section.append(element('p', { class: 'remark' }, 'No errors to plot.'), carom.make_order_table(convergence));
      return null;
    }
    const host = element('div', { class: 'plot', role: 'img', id: 'plot-converge' });
    let view = usable[0],
      plot = null;
    const build = () => {
      plot?.destroy();
      plot = build_plot(host, convergence, view, state);
    };
    const entries = convergence.series.map((one, k) => ({ label: one.label, colour: carom.run_colour(k), k }));
    section.append(
      element(
        'figure',
        { class: 'panel', id: 'panel-converge' },
        element(
          'figcaption',
          {},
          element('h3', {}, 'Convergence'),
          element(
            'div',
            { class: 'tools' },
            carom.choice('Which errors', usable, view.value, (value) => {
              view = usable.find((v) => v.value === value);
              build();
            }),
          ),
        ),
        element(
          'div',
          { class: 'legend-place' },
          carom.make_legend('Methods', entries, ({ k }, shown) => {
            state.converging[k] = shown;
            build();
          }),
        ),
        host,
      ),
      carom.make_order_table(convergence),
    );
    build();
    carom.watch_width(host, (width) => plot.setSize({ width, height }));
    state.on('theme', () => plot.redraw(false, true));
    return {
      id: 'converge',
      get u() {
        return plot;
      },
    };
  }

  Object.assign(carom, { start_convergence });
})((window.carom ??= {}));
