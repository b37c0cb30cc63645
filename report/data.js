/**
 * Reads the data of the report and brings it into a shape that the rest of the page can rely on: every list is
 * there, possibly empty, every number is finite or null, and the motion is decoded.
 */
(function (carom) {
  'use strict';

  const { is_number } = carom.format;
  const list = (value) => (Array.isArray(value) ? value : []);
  const numbers = (value) => list(value).map((x) => (is_number(x) ? x : null));
  const texts = (value) => list(value).map(String);
  const has_numbers = (column) => column.some((x) => x !== null);

  /** The numbers behind a base64 text of little-endian 16-bit integers, scaled to [low, high]. */
  function decode_coordinate(base64, low, high, count) {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    const values = new Float64Array(Math.min(count, Math.floor(bytes.length / 2)));
    for (let i = 0; i < values.length; ++i) values[i] = low + (view.getUint16(2 * i, true) / 65535) * (high - low);
    return values;
  }

  /** The motion on an even grid of times, or null when there is none to show. */
  function decode_motion(motion) {
    if (!motion || !(motion.count > 0)) return null;
    const values = list(motion.data).map((text, i) =>
      decode_coordinate(text, motion.low[i], motion.high[i], motion.count),
    );
    const lengths = values.map((column) => column.length);
    const count = motion.dt > 0 ? Math.min(...lengths) : Math.min(1, ...lengths);
    if (values.length === 0 || count === 0) return null;
    return { t0: motion.t0 ?? 0, dt: motion.dt > 0 ? motion.dt : 1, count, values };
  }

  /**
   * One quantity over the times t: `y`, empty when there is nothing to draw; `low` and `high` are its extremes until
   * the next time, or null where nothing was left out between the times.
   */
  function trace_for(t, value) {
    const column = (part) => numbers(part).slice(0, t.length);
    const { y, low, high } = Array.isArray(value) ? { y: value } : (value ?? {});
    const known = column(y);
    if (!has_numbers(known)) return { y: [], low: null, high: null };
    return { y: known, low: low ? column(low) : null, high: high ? column(high) : null };
  }

  function read_series(series = {}) {
    const t = numbers(series.t).filter((time) => time !== null);
    const one = (value) => trace_for(t, value);
    const several = (value) => list(value).map(one);
    return {
      t,
      q: several(series.q),
      v: several(series.v),
      p: several(series.p),
      H_error: one(series.H_error),
      shadow_error: one(series.shadow_error),
      discrete_error: one(series.discrete_error),
      momentum_error: several(series.momentum_error),
      gaps: several(series.gaps),
      work: one(series.work),
      loss: one(series.loss),
      friction: one(series.friction),
      remainder: one(series.remainder),
      multipliers: several(series.multipliers),
      forces: several(series.forces),
      quantities: several(series.quantities),
    };
  }

  /** x, y, x, y, ... as lists of so many; without those that are not whole. */
  function in_lists(values, size) {
    const lists = values.flatMap((_, i) => (i % size === 0 ? [values.slice(i, i + size)] : []));
    return lists.filter((one) => one.length === size && one.every(is_number));
  }

  function read_impacts(impacts, axes) {
    const t = numbers(impacts?.t),
      contact = numbers(impacts?.contact),
      impulse = numbers(impacts?.impulse);
    return {
      t,
      count: impacts?.count ?? t.length,
      contact: t.map((_, i) => contact[i] ?? 0),
      impulse: t.map((_, i) => impulse[i] ?? null),
      places: t.map((_, i) => in_lists(numbers(impacts.places?.[i]), axes)),
    };
  }

  /** Forces of contacts as arrows: at each time a list of places and forces; `largest` of all of them. */
  function read_pushes(pushes, axes) {
    const t = numbers(pushes?.t);
    const arrows = t.map((_, i) =>
      in_lists(numbers(pushes.arrows?.[i]), 2 * axes).map((one) => ({
        place: one.slice(0, axes),
        force: one.slice(axes),
      })),
    );
    const sizes = arrows.flat().map(({ force }) => Math.hypot(...force));
    return { t, arrows, largest: sizes.reduce((a, b) => Math.max(a, b), 0) };
  }

  /** [from, to, from] as pairs, the last one until `end`. */
  const in_spans = (times, end) =>
    times.flatMap((from, i) => (i % 2 ? [] : [{ from, to: Math.max(from, times[i + 1] ?? end) }]));

  /** From when to when contacts lasted, by the beginning; what lasts to the end (`open`) ends with the run. */
  function read_contacts(contacts, end) {
    const [contact, from, to, settled] = ['contact', 'from', 'to', 'settled'].map((name) =>
      numbers(contacts?.[name]),
    );
    const released = list(contacts?.released);
    const slides = list(contacts?.slides);
    const names = texts(contacts?.names);
    const spans = from
      .map((t, i) => ({
        contact: contact[i],
        from: t,
        to: Math.max(t, to[i] ?? end ?? t),
        open: (to[i] ?? null) === null,
        settled: Math.min(Math.max(t, settled[i] ?? t), Math.max(t, to[i] ?? end ?? t)),
        released: released[i] === true && (to[i] ?? null) !== null,
        slides: in_spans(numbers(slides[i]), Math.max(t, to[i] ?? end ?? t)),
      }))
      .filter((span) => span.from !== null && names[span.contact] !== undefined)
      .sort((a, b) => a.from - b.from);
    return { names, spans, count: contacts?.count ?? spans.length };
  }

  /** A run, in a plane or in space (3 axes). */
  function read_run(run, index, axes) {
    const series = read_series(run.series ?? {});
    return {
      index,
      label: String(run.label ?? 'run ' + (index + 1)),
      method: String(run.method ?? ''),
      method_in_words: String(run.method_in_words ?? ''),
      status: run.status ?? 'completed',
      reason: run.reason ?? null,
      warnings: texts(run.warnings),
      summary: run.summary ?? {},
      row: run.row ?? {},
      series,
      impacts: read_impacts(run.impacts, axes),
      contacts: read_contacts(run.contacts, series.t.at(-1)),
      pushes: read_pushes(run.pushes, axes),
      contact_names: texts(run.contact_names),
      motion: decode_motion(run.motion),
    };
  }

  function read_convergence(convergence) {
    if (!convergence) return null;
    const series = list(convergence.series).map((one) => ({
      label: String(one.label ?? ''),
      h: numbers(one.h),
      error: numbers(one.error),
      energy_error: numbers(one.energy_error),
      seconds: numbers(one.seconds),
      slope: is_number(one.slope) ? one.slope : null,
      claimed_order: is_number(one.claimed_order) ? one.claimed_order : null,
    }));
    return { reference: convergence.reference ?? null, series };
  }

  function read_results(results) {
    if (!results) return null;
    const tables = list(results.tables).map((one) => ({
      caption: String(one.caption ?? ''),
      columns: texts(one.columns),
      rows: list(one.rows).map(texts),
    }));
    return { sentence: String(results.sentence ?? ''), tables, picture: results.picture ?? null };
  }

  /** The report's data as the contract in README.md has it, made whole. */
  function read_report(text) {
    const raw = JSON.parse(text);
    if (raw.schema !== 1) throw new Error(`this page reads data of schema 1, not ${raw.schema}`);
    const runs = list(raw.runs).map((run, index) => read_run(run, index, raw.space ? 3 : 2));
    const space = raw.space ? carom.read_space(raw.space, runs, decode_motion) : null;
    return {
      kind: raw.kind ?? 'run',
      title: String(raw.title ?? 'Untitled'),
      system: String(raw.system ?? ''),
      scenario: raw.scenario ?? null,
      command: raw.command ?? null,
      version: raw.version ?? null,
      git: raw.git ?? null,
      machine: raw.machine ?? null,
      created: raw.created ?? null,
      coordinates: texts(raw.coordinates),
      momenta: texts(raw.momenta),
      gaps: texts(raw.gaps),
      quantities: texts(raw.quantities),
      drawing: raw.drawing ?? null,
      space,
      runs,
      convergence: read_convergence(raw.convergence),
      results: read_results(raw.results),
      sweep: carom.read_sweep(raw.sweep),
    };
  }

  Object.assign(carom, { read_report });
})((window.carom ??= {}));
