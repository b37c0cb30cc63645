/** The page of a sweep: a map over two axes, curves over one, what was drawn, and bands over time. */
(function (carom) {
  'use strict';

  const { element, format } = carom;
  const height = 340;
  const most_lines = 8;

  /** A panel whose plot is made anew whenever a choice changes. `build(host, note)` returns the plot. */
  function make_panel(id, title, state) {
    const host = element('div', { class: 'plot', role: 'img', id: 'plot-' + id });
    const tools = element('div', { class: 'tools' });
    const note = element('p', {});
    const legend = element('div', { class: 'legend-place' });
    const figure = element(
      'figure',
      { class: 'panel sweep-panel', id: 'panel-' + id },
      element('figcaption', {}, element('h3', {}, title), tools, note),
      legend,
      host,
    );
    const panel = { id, figure, host, tools, note, legend, u: null, build: null };
    panel.start = (build) => {
      panel.build = () => {
        panel.u?.destroy();
        panel.u = build(panel);
        host.setAttribute('aria-label', `${title}: ${note.textContent}`);
      };
      panel.build();
      carom.watch_width(host, (width) => panel.u.setSize({ width, height: panel.u.height }));
      state.on('theme', () => panel.u.redraw(false, true));
      return panel;
    };
    return panel;
  }

  /** One of `options` by a switch or a list; nothing to choose leaves nothing to see. */
  function add_choice(panel, name, options, chosen, on_choice) {
    if (options.length < 2) return;
    const choice = carom.choice(name, options, chosen, (value) => {
      on_choice(value);
      panel.build();
    });
    const label = element('label', { class: 'named-choice' }, element('span', {}, name), choice);
    panel.tools.append(choice.tagName === 'SELECT' ? label : choice);
  }

  const names = (fields) => fields.map(({ name }, i) => ({ value: String(i), label: name }));

  function add_scale(panel, view) {
    const scales = ['linear', 'log'].map((value) => ({ value, label: value }));
    add_choice(panel, 'Scale', scales, 'linear', (value) => (view.log = value === 'log'));
  }

  /** In the middle of each axis, where most is to be seen; the first of words. */
  const middle_place = (axes) => axes.map(({ words, values }) => (words ? 0 : Math.floor(values.length / 2)));

  /** A list for each axis that is not drawn: which of its values is meant. */
  function add_places(panel, axes, view, skipped) {
    for (const axis of axes) {
      if (skipped.includes(axis) || axis.values.length < 2) continue;
      const options = axis.values.map((_, i) => ({ value: String(i), label: axis.text(i) }));
      const k = axis.index;
      add_choice(panel, axis.key, options, String(view.place[k]), (value) => (view.place[k] = Number(value)));
    }
  }

  /** A sentence about what is not drawn. */
  function thinned(axes) {
    const some = axes.filter((axis) => axis.stride > 1).map((axis) => `every ${axis.stride}th value of ${axis.key}`);
    return some.length ? ` Shown is ${some.join(' and ')}; sweep.npz has all.` : '';
  }

  function finite_range(numbers, log) {
    let [low, high] = [Infinity, -Infinity];
    for (const x of numbers)
      if (Number.isFinite(x) && (!log || x > 0)) [low, high] = [Math.min(low, x), Math.max(high, x)];
    return low <= high ? [low, high] : [log ? 0.1 : 0, 1];
  }

  function start_map(section, sweep, state) {
    const [y, x] = sweep.axes.filter((axis) => axis.values.length > 1).slice(-2);
    const panel = make_panel('map', 'Map', state);
    const view = { field: 0, log: false, place: middle_place(sweep.axes) };
    add_choice(panel, 'Field', names(sweep.fields), '0', (value) => (view.field = Number(value)));
    add_scale(panel, view);
    add_places(panel, sweep.axes, view, [x, y]);
    section.append(panel.figure);
    return panel.start(({ host, note, legend }) => {
      const field = sweep.fields[view.field];
      const middle = Math.floor(sweep.inner / 2);
      const place = [...view.place];
      const value = (i, k) => {
        [place[x.index], place[y.index]] = [i, k];
        return field.numbers[field.at(place) + middle];
      };
      const all = y.values.flatMap((_, k) => x.values.map((__, i) => value(i, k)));
      const [low, high] = finite_range(all, view.log);
      const map = { x, y, name: field.name, value, low, high, log: view.log };
      const what = sweep.draws ? `The median of ${field.name} over ${format.count(sweep.draws)} draws` : field.name;
      note.textContent = `${what}, over ${x.label} and ${y.label}.${thinned(sweep.axes)}`;
      legend.replaceChildren(carom.make_bar(map));
      return carom.make_heatmap(host, map, 420);
    });
  }

  /** The axis whose values become lines, where there is one that has few. */
  function line_axis(sweep, x) {
    const few = sweep.axes.filter((axis) => axis !== x && axis.values.length > 1 && axis.values.length <= most_lines);
    return few.find((axis) => axis.words) ?? few[0] ?? null;
  }

  function lines_of(sweep, field, x, by, place) {
    const here = [...place];
    return (by ? by.values.map((_, i) => i) : [0]).map((line, index) => {
      if (by) here[by.index] = line;
      const columns = Array.from({ length: sweep.inner }, (_, level) =>
        x.values.map((__, i) => {
          here[x.index] = i;
          return field.numbers[field.at(here) + level];
        }),
      );
      return { label: by ? by.text(line) : field.name, colour: carom.run_colour(index), columns };
    });
  }

  const in_bands = ' Lines are medians; the bands hold half and nine tenths of the draws.';

  function show_legend(legend, lines) {
    const entries = lines.map(({ label, colour }) => element('span', {}, carom.swatch({ colour }), label));
    legend.replaceChildren(...(lines.length > 1 ? [element('div', { class: 'keys' }, entries)] : []));
  }

  function start_curves(section, sweep, state) {
    const long = sweep.axes.filter((axis) => axis.values.length > 1);
    const view = { field: 0, log: false, place: middle_place(sweep.axes) };
    view.x = long.find((axis) => !axis.words) ?? long[0];
    for (const axis of long) if (!axis.words && axis.values.length > view.x.values.length) view.x = axis;
    const by = line_axis(sweep, view.x);
    const panel = make_panel('curves', 'Curves', state);
    add_choice(panel, 'Field', names(sweep.fields), '0', (value) => (view.field = Number(value)));
    add_scale(panel, view);
    add_places(panel, sweep.axes, view, [view.x, by]);
    section.append(panel.figure);
    return panel.start(({ host, note, legend }) => {
      const field = sweep.fields[view.field];
      const { x } = view;
      const lines = lines_of(sweep, field, x, by, view.place);
      show_legend(legend, lines);
      const each = by ? `, a line for each ${by.label}` : '';
      note.textContent = `${field.name} over ${x.label}${each}.${sweep.draws ? in_bands : ''}${thinned(sweep.axes)}`;
      const order = x.values.map((_, i) => i);
      if (x.spacing !== 'places' && x.values[0] > x.values.at(-1)) order.reverse();
      const sorted = lines.map((line) => ({ ...line, columns: line.columns.map((c) => order.map((i) => c[i])) }));
      return carom.make_bands(
        host,
        {
          x: order.map((i) => (x.spacing === 'places' ? i : x.values[i])),
          x_axis: carom.axis_of_parameter(x, { scale: 'x', size: 28, space: 60, labelSize: 18, labelGap: 2 }),
          x_scale: carom.scale_of_parameter(x),
          x_name: x.key,
          x_text: (i) => x.text(order[i]),
          lines: sorted,
          log: view.log,
        },
        height,
      );
    });
  }

  function start_distribution(section, sweep, state) {
    const fields = sweep.fields.filter((field) => field.histogram);
    if (!fields.length) return null;
    const panel = make_panel('distribution', 'Distribution', state);
    const view = { field: 0 };
    add_choice(panel, 'Field', names(fields), '0', (value) => (view.field = Number(value)));
    section.append(panel.figure);
    return panel.start(({ host, note }) => {
      const field = fields[view.field];
      const runs = field.histogram.counts.reduce((sum, n) => sum + n, 0);
      note.textContent = `${field.name} of ${format.counted(runs, 'run')}, drawn by ${sweep.drawn.join(', ')}.`;
      return carom.make_histogram(host, field.name, field.histogram, height);
    });
  }

  function start_series(section, sweep, state) {
    const { series, levels } = sweep;
    if (!series?.fields.length || !series.t.length) return null;
    const panel = make_panel('series', 'Over time', state);
    const view = { field: 0, log: false, place: middle_place(series.axes) };
    add_choice(panel, 'Series', names(series.fields), '0', (value) => (view.field = Number(value)));
    add_places(panel, series.axes, view, []);
    section.append(panel.figure);
    return panel.start(({ host, note }) => {
      const field = series.fields[view.field];
      const at = field.at(view.place);
      const columns = levels.map((_, k) => series.t.map((__, i) => field.numbers[at + i * levels.length + k]));
      const over = sweep.draws ? 'draws' : 'runs';
      note.textContent = `${field.name}: the line is the median of all ${over}, the bands hold half and nine tenths.`;
      return carom.make_bands(
        host,
        {
          x: series.t,
          x_axis: carom.time_axis(),
          x_scale: { time: false },
          x_name: 't',
          x_text: (i) => format.number(series.t[i], 5),
          lines: [{ label: field.name, colour: carom.run_colour(0), columns }],
          log: false,
        },
        height,
      );
    });
  }

  /** Runs that did not complete, with what repeats them. */
  function failure_table(sweep) {
    const rows = sweep.failures.slice(0, 20);
    if (!rows.length) return null;
    return element(
      'details',
      { class: 'failures' },
      element('summary', {}, `The first ${format.counted(rows.length, 'run')} that did not complete`),
      element(
        'ul',
        {},
        rows.map(({ member, reason, command }) =>
          element('li', {}, `Run ${member}: ${reason}`, element('pre', { tabindex: 0 }, command)),
        ),
      ),
    );
  }

  /** Fills the section; the panels, for tests. */
  function start_sweep(section, sweep, state) {
    const host = element('div', { class: 'sweep-panels' });
    section.append(element('h2', {}, 'Results'), host);
    const long = sweep.axes.filter((axis) => axis.values.length > 1);
    const panels = [];
    if (sweep.fields.length && long.length > 1) panels.push(start_map(host, sweep, state));
    if (sweep.fields.length && long.length > 0) panels.push(start_curves(host, sweep, state));
    panels.push(start_distribution(host, sweep, state), start_series(host, sweep, state));
    const failed = failure_table(sweep);
    if (failed) section.append(failed);
    return panels.filter(Boolean);
  }

  Object.assign(carom, { start_sweep });
})((window.carom ??= {}));
