/** The phase portrait: a momentum over its coordinate, or one coordinate over another, with a mark at the present. */
(function (carom) {
  'use strict';

  const { element, format } = carom;

  /** What can be drawn against what. */
  function portrait_pairs(report) {
    const { coordinates } = report;
    const first = report.runs.find((run) => run.series.t.length) ?? { series: { q: [], p: [] } };
    const pairs = [];
    coordinates.forEach((name, k) => {
      if (first.series.q[k]?.y.length && first.series.p[k]?.y.length) {
        pairs.push({
          label: `${name}, p(${name})`,
          x_name: name,
          y_name: `p(${name})`,
          x: (s) => s.q[k]?.y ?? [],
          y: (s) => s.p[k]?.y ?? [],
        });
      }
    });
    for (let k = 0; k + 1 < coordinates.length; ++k) {
      if (!first.series.q[k]?.y.length || !first.series.q[k + 1]?.y.length) continue;
      pairs.push({
        label: `${coordinates[k]}, ${coordinates[k + 1]}`,
        x_name: coordinates[k],
        y_name: coordinates[k + 1],
        x: (s) => s.q[k]?.y ?? [],
        y: (s) => s.q[k + 1]?.y ?? [],
      });
    }
    return pairs.map((pair, i) => ({ ...pair, value: String(i) }));
  }

  /** A momentum that is conserved makes a dull portrait. */
  function varies(pair, report) {
    const [low, high] = extent(report.runs.map((run) => pair.y(run.series)));
    return report.runs.some((run) => pair.y(run.series).some((y) => y < low + 0.4 * (high - low)));
  }

  /** True when samples are too far apart for a line through them to mean anything. */
  function is_scattered(x, y) {
    const span = (values) => Math.max(...values) - Math.min(...values) || 1;
    const [wide, tall] = [span(x), span(y)];
    let far = 0;
    for (let i = 1; i < x.length; ++i)
      if (Math.hypot((x[i] - x[i - 1]) / wide, (y[i] - y[i - 1]) / tall) > 0.12) ++far;
    return far > 0.25 * x.length;
  }

  /** Draws straight onto uPlot's canvas: a line, or dots. */
  function portrait_painter(colour, scattered) {
    return (u, index) => {
      const ratio = uPlot.pxRatio;
      uPlot.orient(u, index, (series, x, y, scale_x, scale_y, to_x, to_y, left, top, wide, tall) => {
        const { ctx } = u;
        ctx.save();
        ctx.beginPath();
        ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
        ctx.clip();
        ctx.strokeStyle = ctx.fillStyle = carom.faded(colour, scattered ? 0.55 : 0.8);
        ctx.lineWidth = ratio;
        ctx.lineJoin = 'round';
        ctx.beginPath();
        for (let i = 0; i < x.length; ++i) {
          if (x[i] === null || y[i] === null) continue;
          const [at_x, at_y] = [to_x(x[i], scale_x, wide, left), to_y(y[i], scale_y, tall, top)];
          if (scattered) ctx.rect(at_x - 0.8 * ratio, at_y - 0.8 * ratio, 1.6 * ratio, 1.6 * ratio);
          else if (i === 0 || x[i - 1] === null || y[i - 1] === null) ctx.moveTo(at_x, at_y);
          else ctx.lineTo(at_x, at_y);
        }
        if (scattered) ctx.fill();
        else ctx.stroke();
        ctx.restore();
      });
      return null;
    };
  }

  function extent(columns) {
    const values = columns.flat().filter(format.is_number);
    return carom.plain_range(
      null,
      values.length ? Math.min(...values) : null,
      values.length ? Math.max(...values) : null,
    );
  }

  /** uPlot's options for a portrait; `full` is the range of both axes that shows everything. */
  function portrait_options(runs, clouds, pair, full) {
    const scale = (name) => ({
      time: false,
      auto: false,
      range: (_, low, high) => (format.is_number(low) ? [low, high] : full[name]),
    });
    const facets = [
      { scale: 'x', auto: false },
      { scale: 'y', auto: false },
    ];
    const line = (run, i) => ({
      facets,
      paths: portrait_painter(carom.run_colour(run.index), clouds[i]),
      points: { show: false },
      stroke: () => carom.colour(carom.run_colour(run.index)),
    });
    return {
      mode: 2,
      padding: [24, 14, 0, 0],
      legend: { show: false },
      scales: { x: scale('x'), y: scale('y') },
      axes: [
        carom.linear_axis({ scale: 'x', size: 26, space: 60, label: pair.x_name, labelSize: 15, labelGap: 0 }),
        carom.linear_axis({ scale: 'y', size: carom.axis_width, space: 36 }),
      ],
      series: [{}, ...runs.map(line)],
      cursor: {
        dataIdx: () => null,
        points: { show: false },
        drag: { x: true, y: true, uni: 20, setScale: true, dist: 5 },
      },
    };
  }

  /** Where a run is: between samples on a line; at the last sample in a cloud, as nothing is known between them. */
  function place_at(time, t, x, y, cloud) {
    const i = Math.max(0, carom.last_before(t, time));
    const next = Math.min(i + 1, t.length - 1);
    const s = !cloud && t[next] > t[i] ? Math.min(1, (time - t[i]) / (t[next] - t[i])) : 0;
    const between = (values) => (s === 0 ? values[i] : values[i] + s * (values[next] - values[i])) ?? NaN;
    return [between(x), between(y)];
  }

  function portrait_in_words({ x_name, y_name }, full) {
    const range = (name, [low, high]) => `${name} from ${format.spoken(low)} to ${format.spoken(high)}`;
    return `Phase portrait of ${y_name} over ${x_name}: ${range(x_name, full.x)}, ${range(y_name, full.y)}.`;
  }

  function build_portrait(host, report, state, pair, height) {
    const runs = report.runs.filter((run) => pair.x(run.series).length && pair.y(run.series).length).reverse();
    const points = runs.map((run) => [pair.x(run.series), pair.y(run.series)]);
    const clouds = points.map(([x, y]) => is_scattered(x, y));
    const full = { x: extent(points.map(([x]) => x)), y: extent(points.map(([, y]) => y)) };
    const options = portrait_options(runs, clouds, pair, full);
    options.cursor.bind = { dblclick: () => show_all };
    options.hooks = { draw: [carom.draw_exponent, () => requestAnimationFrame(show_time)] };
    const size = { width: Math.max(120, host.clientWidth), height };
    const u = new uPlot({ ...options, ...size }, [null, ...points], host);
    const marks = runs.map((run) =>
      element('div', { class: 'mark', style: `background: var(--${carom.run_colour(run.index)})` }),
    );
    u.over.append(...marks);

    function show_all() {
      u.batch(() => ['x', 'y'].forEach((name) => u.setScale(name, { min: full[name][0], max: full[name][1] })));
    }

    function show_time() {
      runs.forEach((run, i) => {
        const [x, y] = place_at(state.time, run.series.t, ...points[i], clouds[i]);
        const [left, top] = [u.valToPos(x, 'x'), u.valToPos(y, 'y')];
        const inside = left >= 0 && top >= 0 && left <= u.over.clientWidth && top <= u.over.clientHeight;
        marks[i].hidden = !state.visible[run.index] || !inside;
        marks[i].style.transform = `translate(${left}px, ${top}px)`;
      });
    }

    function show_runs() {
      u.batch(() => runs.forEach((run, i) => u.setSeries(i + 1, { show: state.visible[run.index] })));
      show_time();
    }

    show_all();
    show_runs();
    host.setAttribute('aria-label', portrait_in_words(pair, full));
    return { u, show_time, show_runs, some_cloud: clouds.some(Boolean) };
  }

  /** The panel, or null when there is nothing to draw. */
  function make_phase_panel(report, state) {
    const pairs = portrait_pairs(report);
    if (pairs.length === 0) return null;
    const host = element('div', { class: 'plot', role: 'img', id: 'plot-phase' });
    const note = element('p', {});
    let plot = null,
      chosen = pairs.find((pair) => varies(pair, report)) ?? pairs[0],
      height = 300;

    function build() {
      plot?.u.destroy();
      plot = build_portrait(host, report, state, chosen, height);
      note.textContent =
        `${chosen.y_name} over ${chosen.x_name}` + (plot.some_cloud ? '; samples of the whole run' : '');
    }

    const chooser = carom.choice('Phase portrait: which', pairs, chosen.value, (value) => {
      chosen = pairs[Number(value)];
      build();
    });
    const figure = element(
      'figure',
      { class: 'panel', id: 'panel-phase' },
      element(
        'figcaption',
        {},
        element('h3', {}, 'Phase portrait'),
        pairs.length > 1 ? element('div', { class: 'tools' }, chooser) : null,
        note,
      ),
      host,
    );
    return {
      id: 'phase',
      figure,
      start(wanted_height) {
        height = wanted_height;
        build();
        carom.watch_width(host, (width) => {
          height = Math.min(wanted_height, Math.max(260, Math.round(0.95 * width)));
          plot.u.setSize({ width, height });
        });
        state.on('time', () => plot.show_time());
        state.on('visible', () => plot.show_runs());
        state.on('theme', () => plot.u.redraw(false, true));
      },
      get u() {
        return plot.u;
      },
    };
  }

  Object.assign(carom, { make_phase_panel });
})((window.carom ??= {}));
