/** Which plots over time there are, and what is in them. A quantity without data gives a remark instead of a plot. */
(function (carom) {
  'use strict';

  const { format } = carom;

  const largest = (values) => values.reduce((most, x) => Math.max(most, Math.abs(x ?? 0)), 0);
  const final = (values) => values.findLast((x) => x !== null);
  const many = (report) => report.runs.length > 1;

  /** The size that errors of the energy are measured against. */
  const energy_scale = (report) =>
    Math.max(1, ...report.runs.map((run) => Math.abs(run.summary.energy?.initial ?? 0)));

  /** How a line of a run looks among those of others. */
  const dress = (run) => ({
    run: run.index,
    label: run.label,
    colour: carom.run_colour(run.index),
    dash: carom.run_dash(run.index),
  });

  /** "largest 1.2e-3, at the end 3e-4", for each line. */
  function describe_lines(spec) {
    return (
      spec.lines
        .slice(0, 10)
        .map((line) => {
          const name = spec.lines.length > 1 ? line.label + ': ' : '';
          return `${name}largest ${format.spoken(largest(line.y))}, at the end ${format.spoken(final(line.y))}`;
        })
        .join('; ') + '.'
    );
  }

  /** The error of some energy: one line a run. */
  function error_plan(report, { id, title, note, log_note, of }) {
    const runs = report.runs.filter((run) => of(run.series).y.length);
    if (runs.length === 0) return { missing: title.toLowerCase() };
    const scale = energy_scale(report);
    const sizes = runs.map((run) => largest(of(run.series).y)).filter((size) => size > 0);
    const apart = sizes.length > 1 && Math.max(...sizes) > 50 * Math.min(...sizes);
    const flat = runs.some((run) => run.series.t.length > 1) && Math.max(...sizes, 0) < carom.rounding_level * scale;
    return {
      id,
      title,
      with_log: true,
      log: apart,
      describe: describe_lines,
      build: (_, log) => ({
        note: (log && log_note ? log_note : note) + (flat ? '. It is rounding: below 10⁻¹² of the energy.' : ''),
        range: (columns) => (log ? carom.log_error_range(scale, columns) : carom.error_range(scale)),
        lines: runs.map((run) => ({ ...dress(run), t: run.series.t, ...of(run.series) })),
      }),
    };
  }

  /**
   * Several components of one quantity. One run: all of them together or one; several runs: one component at a time.
   * @param {(run: object) => {t: number[], traces: {y: number[], low: ?number[], high: ?number[]}[]}} of
   */
  function component_plan(report, { id, title, note, names, of, range, shaded, together, missing }) {
    const has = (k) => report.runs.some((run) => of(run).traces[k]?.y.length);
    const present = names.map((name, k) => ({ name, k })).filter(({ k }) => has(k));
    if (present.length === 0) return { missing };
    const single = present.map(({ name, k }) => ({ value: String(k), label: name }));
    const overlay = !many(report) && present.length > 1;
    const line = (run, k) => ({ t: of(run).t, ...of(run).traces[k] });
    const by_component = (components) =>
      components.map(({ name, k }, place) => ({
        ...line(report.runs[0], k),
        component: k,
        label: name,
        colour: carom.run_colour(place),
        dash: carom.run_dash(place),
      }));
    const by_run = (k) =>
      report.runs
        .filter((run) => of(run).traces[k]?.y.length)
        .map((run) => ({ ...line(run, k), ...dress(run), label: many(report) ? run.label : names[k] }));
    return {
      id,
      title,
      note,
      describe: describe_lines,
      choices: overlay ? [...single, { value: 'all', label: 'all' }] : single,
      chosen: overlay && (together?.() ?? present.length <= 6) ? 'all' : single[0].value,
      build(choice) {
        const lines = choice === 'all' ? by_component(present) : by_run(Number(choice));
        return { lines, range: () => range, shaded, legend: choice === 'all' && lines.length > 1 ? lines : null };
      },
    };
  }

  const most_samples = 30000;

  /** Coordinates in detail: the frames of the animation as far as they go, then what is known of the whole run. */
  function detailed(run, runs) {
    if (run.detailed) return run.detailed;
    const { series, motion } = run;
    if (!motion || motion.count < 2 || motion.values.length !== series.q.length)
      return { t: series.t, traces: series.q };
    const smooth = carom.make_motion(motion, run.impacts.t);
    const stride = Math.ceil((motion.count * runs) / most_samples);
    const times = run.impacts.t.filter((t) => t > smooth.start && t < smooth.end);
    for (let k = 0; k < motion.count; k += stride) times.push(motion.t0 + k * motion.dt);
    times.sort((a, b) => a - b);
    const states = times.map(smooth.at);
    const from = carom.last_before(series.t, smooth.end) + 1;
    const traces = series.q.map((q, k) => {
      const seen = states.map((state) => state[k]);
      const joined = (rest) => rest && seen.concat(rest.slice(from));
      return { y: joined(q.y), low: joined(q.low), high: joined(q.high) };
    });
    const until = series.t.at(-1) > smooth.end + 2 * motion.dt ? smooth.end : null;
    return (run.detailed = { t: times.concat(series.t.slice(from)), traces, until });
  }

  /** How far the detail goes, where it does not go to the end. */
  function detail_note(report) {
    const ends = report.runs.map((run) => detailed(run, report.runs.length).until).filter(format.is_number);
    if (ends.length === 0) return null;
    const until = format.equation('t', format.rounded(Math.min(...ends), 5));
    return `In detail to ${until}, then the range within each stretch of time`;
  }

  /** True when none of them is flat beside the others. */
  function comparable(traces) {
    const spans = traces
      .map(({ y }) => Math.max(...y) - Math.min(...y))
      .filter((span) => span > 0);
    return spans.length <= 6 && Math.max(...spans) < 8 * Math.min(...spans);
  }

  function impacts_plan(report) {
    const runs = report.runs.filter((run) => run.impacts.t.length);
    const in_words = ({ label, impacts }) =>
      (many(report) ? label + ': ' : '') +
      `${impacts.count} impacts, largest impulse ${format.spoken(largest(impacts.impulse))}`;
    if (runs.length === 0) return { missing: 'impacts (there were none)' };
    const names = runs[0].contact_names;
    const by_contact = !many(report) && names.length > 1 && names.length <= 8;
    const lines = by_contact
      ? names
          .map((name, k) => ({
            t: runs[0].impacts.t,
            y: runs[0].impacts.impulse.map((x, i) => (runs[0].impacts.contact[i] === k ? x : null)),
            component: k,
            label: name,
            colour: carom.run_colour(k),
            kind: 'events',
          }))
          .filter((line) => line.y.some((x) => x !== null))
      : runs.map((run) => ({ ...dress(run), t: run.impacts.t, y: run.impacts.impulse, kind: 'events' }));
    const cut = runs.filter((run) => run.impacts.count > run.impacts.t.length);
    return {
      id: 'impacts',
      title: 'Impacts',
      note:
        'Impulse of each impact' +
        (cut.length
          ? `; ${format.count(cut[0].impacts.t.length)} of ${format.count(cut[0].impacts.count)} are shown`
          : ''),
      describe: () => runs.map(in_words).join('; ') + '.',
      build: () => ({
        lines,
        range: () => carom.range_with_zero,
        legend: by_contact && lines.length > 1 ? lines : null,
      }),
    };
  }

  /** Where the energy went: H − H(0) = work + friction − loss + remainder. */
  function balance_plan(report) {
    const flows = [
      { of: 'H_error', label: 'H − H(0)', sign: 1 },
      { of: 'work', label: 'work of forces', sign: 1 },
      { of: 'friction', label: 'friction', sign: 1 },
      { of: 'loss', label: 'lost at impacts', sign: -1 },
    ].filter(({ of }) => report.runs.some((run) => largest(run.series[of].y) > 0));
    const signed = (values, sign) => values && values.map((x) => (x === null ? null : sign * x));
    const trace = (run, { of, sign }) => {
      const { y, low, high } = run.series[of];
      const [lower, upper] = sign > 0 ? [low, high] : [high, low];
      return { y: signed(y, sign), low: signed(lower, sign), high: signed(upper, sign) };
    };
    return component_plan(report, {
      id: 'work',
      title: 'Energy balance',
      note: 'H − H(0) is the sum of the others, up to the error of the method',
      names: flows.map(({ label }) => label),
      range: carom.error_range(energy_scale(report)),
      of: (run) => ({ t: run.series.t, traces: flows.map((flow) => trace(run, flow)) }),
      missing: 'energy balance (it did not change)',
    });
  }

  /** Energies that a flow keeps by itself: not where something else changes them. */
  function closed_plan(report, what) {
    const open = report.runs.some((run) => carom.is_open(run.summary));
    return open ? { missing: `${what.title.toLowerCase()} (energy comes or goes)` } : error_plan(report, what);
  }

  /** What is kept is shown by its error; what forces and losses change, by where it went and what is not explained. */
  function energy_plans(report) {
    if (!report.runs.some((run) => carom.is_open(run.summary)))
      return [
        error_plan(report, {
          id: 'energy',
          title: 'Energy error',
          note: 'H − H(0)',
          log_note: 'Largest |H − H(0)| within each stretch of time',
          of: (s) => s.H_error,
        }),
      ];
    return [
      balance_plan(report),
      error_plan(report, {
        id: 'energy',
        title: 'Energy error',
        note: 'What work, friction and losses do not explain of H − H(0)',
        of: (s) => s.remainder,
      }),
    ];
  }

  function multipliers_plan(report) {
    const count = Math.max(0, ...report.runs.map((run) => run.series.multipliers.length));
    return component_plan(report, {
      id: 'multipliers',
      title: 'Multipliers',
      note: 'What holds joints and contacts; a contact opens where its own would become negative',
      names: Array.from({ length: count }, (_, k) => (count > 1 ? `ψ${k + 1}` : 'ψ')),
      of: (run) => ({ t: run.series.t, traces: run.series.multipliers }),
      range: carom.range_with_zero,
      missing: 'multipliers (of DAEs only)',
    });
  }

  /** Every plot over time, in the order of the page. */
  function time_plans(report) {
    const momentum_scale = Math.max(
      1,
      ...report.runs.flatMap((run) => (run.summary.momenta ?? []).map((m) => Math.abs(m.initial ?? 0))),
    );
    const order = report.runs.find((run) => run.summary.shadow_energy)?.summary.shadow_energy.order;
    return [
      ...energy_plans(report),
      closed_plan(report, {
        id: 'shadow',
        title: 'Shadow energy error',
        of: (s) => s.shadow_error,
        note: 'Of the energy that the flow itself keeps' + (order ? `, to order ${order}` : ''),
      }),
      closed_plan(report, {
        id: 'discrete',
        title: 'Discrete energy error',
        note: 'Of −D₃L of the discrete Lagrangian',
        of: (s) => s.discrete_error,
      }),
      component_plan(report, {
        id: 'coordinates',
        title: 'Coordinates',
        names: report.coordinates,
        of: (run) => detailed(run, report.runs.length),
        range: carom.plain_range,
        together: () => comparable(report.runs[0].series.q),
        missing: 'coordinates',
        note: detail_note(report),
      }),
      component_plan(report, {
        id: 'quantities',
        title: 'Quantities',
        note: 'Your own, of output.quantities',
        names: report.quantities,
        of: (run) => ({ t: run.series.t, traces: run.series.quantities }),
        range: carom.plain_range,
        together: () => comparable(report.runs[0].series.quantities),
        missing: 'quantities of your own (output.quantities names none)',
      }),
      component_plan(report, {
        id: 'velocities',
        title: 'Velocities',
        names: report.coordinates.map((name) => name + '′'),
        of: (run) => ({ t: run.series.t, traces: run.series.v }),
        range: carom.plain_range,
        together: () => comparable(report.runs[0].series.v),
        missing: 'velocities',
      }),
      component_plan(report, {
        id: 'gaps',
        title: 'Gaps',
        note: 'Distance to contact; below zero is inside the wall',
        names: report.gaps,
        of: (run) => ({ t: run.series.t, traces: run.series.gaps }),
        range: carom.range_with_zero,
        shaded: true,
        missing: 'gaps (the system has none)',
      }),
      impacts_plan(report),
      carom.contacts_plan(report, dress),
      component_plan(report, {
        id: 'forces',
        title: 'Contact forces',
        note: 'Of contacts that last; an impact has an impulse instead',
        names: report.gaps,
        of: (run) => ({ t: run.series.t, traces: run.series.forces }),
        range: carom.range_with_zero,
        missing: 'contact forces (no contact lasted)',
      }),
      component_plan(report, {
        id: 'momenta',
        title: 'Momentum error',
        note: 'Change of what symmetry says is kept',
        names: report.momenta,
        of: (run) => ({ t: run.series.t, traces: run.series.momentum_error }),
        range: carom.error_range(momentum_scale),
        missing: 'momenta (none is conserved)',
      }),
      multipliers_plan(report),
    ];
  }

  Object.assign(carom, { time_plans });
})((window.carom ??= {}));
