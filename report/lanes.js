/** The plot of contacts: a lane for each, bars while it lasts, ticks for its impacts, open circles for releases. */
(function (carom) {
  'use strict';

  const { format } = carom;
  const most_lanes = 12;

  /** The contacts of each impact; several that close together are joined by " + ". */
  function impacts_by_contact(run) {
    const parts = run.contact_names.map((name) => name.split(' + '));
    const times = new Map();
    run.impacts.t.forEach((t, i) => {
      for (const name of parts[run.impacts.contact[i]] ?? []) {
        if (!times.has(name)) times.set(name, []);
        times.get(name).push(t);
      }
    });
    return times;
  }

  /** What happens at each contact of a run: its spans and the times of its impacts. */
  function events_of(run) {
    const impacts = impacts_by_contact(run);
    const spans = new Map(run.contacts.names.map((name) => [name, []]));
    for (const span of run.contacts.spans) spans.get(run.contacts.names[span.contact])?.push(span);
    return { run, impacts, spans };
  }

  /** The lanes: contacts in the order of the system, the busiest where there are too many. */
  function choose_lanes(report, all) {
    const busy = new Map();
    const count = (name, more) => busy.set(name, (busy.get(name) ?? 0) + more);
    for (const { impacts, spans } of all) {
      for (const [name, list] of spans) count(name, 1000 * list.length);
      for (const [name, times] of impacts) if (!/^\d+ more$/.test(name)) count(name, times.length);
    }
    const place = (name) => (report.gaps.includes(name) ? report.gaps.indexOf(name) : report.gaps.length);
    const chosen = [...busy.keys()].sort((a, b) => busy.get(b) - busy.get(a)).slice(0, most_lanes);
    return { lanes: chosen.sort((a, b) => place(a) - place(b)), of: busy.size };
  }

  const shortened = (name) => (name.length > 16 ? name.slice(0, 15) + '…' : name);

  function lane_axis(lanes) {
    return {
      ...carom.base_axis(),
      scale: 'y',
      size: carom.axis_width,
      splits: () => lanes.map((_, k) => -k),
      values: () => lanes.map(shortened),
    };
  }

  /** Paints the marks of one run in the lanes. `row` of `rows`: where in each lane, beside other runs. */
  function paint_run(u, { run, impacts, spans }, lanes, row, rows, alone) {
    const { ctx, bbox } = u;
    const ratio = uPlot.pxRatio;
    const end = bbox.left + bbox.width;
    const to_x = (t) => Math.min(Math.max(u.valToPos(t, 'x', true), bbox.left - 9 * ratio), end + 9 * ratio);
    const seen = (from, to) => to >= u.scales.x.min && from <= u.scales.x.max;
    const pitch = (u.valToPos(-1, 'y', true) - u.valToPos(0, 'y', true)) / rows;
    const look = {
      colour: carom.lasting_colour(run, alone),
      alpha: 1,
      thickness: Math.min(7 * ratio, 0.5 * pitch),
      radius: Math.min(4 * ratio, 0.36 * pitch),
      background: carom.colour('page'),
    };
    lanes.forEach((name, k) => {
      const y = u.valToPos(-k, 'y', true) + (row - (rows - 1) / 2) * pitch * 0.9;
      const times = (impacts.get(name) ?? []).filter((t) => seen(t, t));
      const bars = (spans.get(name) ?? []).filter(({ from, to }) => seen(from, to));
      carom.paint_spans(
        ctx,
        bars.map(({ from, settled, to, released, slides }) => ({
          slides: slides.map((part) => ({ from: to_x(part.from), to: to_x(part.to) })),
          from: to_x(from),
          settled: to_x(settled),
          to: to_x(to),
          released,
        })),
        y,
        look,
      );
      const reach = Math.min(8 * ratio, 0.4 * pitch);
      ctx.fillStyle = carom.faded(carom.run_colour(run.index), times.length > bbox.width / 6 ? 0.4 : 0.9);
      for (const t of times) ctx.fillRect(to_x(t) - ratio / 2, y - reach, ratio, 2 * reach);
    });
  }

  /** What happens at time t, for the box beside the mouse. */
  function rows_at(all, lanes, t, alone) {
    return all.flatMap(({ run, spans }) =>
      lanes.flatMap((name) => {
        const span = (spans.get(name) ?? []).findLast(({ from, to, open }) => from <= t && (t < to || open));
        if (!span) return [];
        const label = alone ? name : `${run.label}: ${name}`;
        const text = 'since ' + format.number(span.from, 4);
        return [{ colour: carom.lasting_colour(run, alone), label, text }];
      }),
    );
  }

  /** "floor lasts 3 times, for 2.5 in all, 2 releases, 14 impacts; ...", the first lanes. */
  function describe_run({ run, impacts, spans }, lanes, alone) {
    const parts = lanes.slice(0, 6).map((name) => {
      const list = spans.get(name) ?? [];
      const whole = list.reduce((sum, { from, to }) => sum + (Number.isFinite(to) ? to - from : 0), 0);
      const words = [format.counted(impacts.get(name)?.length ?? 0, 'impact')];
      if (list.length) {
        words.unshift(
          `lasts ${format.counted(list.length, 'time')}, for ${format.spoken(whole)} in all`,
          format.counted(list.filter((span) => span.released).length, 'release'),
        );
      }
      return `${name}: ${words.join(', ')}`;
    });
    return (alone ? '' : run.label + ': ') + parts.join('; ');
  }

  function note_for(runs, { lanes, of }) {
    const cut = runs.find(({ contacts }) => contacts.count > contacts.spans.length);
    const parts = [];
    if (of > lanes.length) parts.push(`the busiest ${lanes.length} of ${format.count(of)} contacts`);
    if (cut) parts.push(`${format.count(cut.contacts.spans.length)} of ${format.count(cut.contacts.count)} bars`);
    const shown = parts.length ? `. Shown: ${parts.join(', ')}` : '';
    return 'Bars: the contact lasts; ticks: impacts; open circles: releases' + shown;
  }

  /** The line that the plot knows of a run: when something happens, and in which lane. Nothing is drawn of it. */
  function line_of({ run, impacts, spans }, lanes, dress) {
    const points = lanes.flatMap((name, k) => [
      ...(impacts.get(name) ?? []).map((t) => [t, -k]),
      ...(spans.get(name) ?? []).map(({ from }) => [from, -k]),
    ]);
    points.sort((a, b) => a[0] - b[0]);
    return { ...dress(run), t: points.map(([t]) => t), y: points.map(([, y]) => y), kind: 'lanes' };
  }

  /** One lane a contact; runs beside each other in it. Only where some contact lasted: see also the impacts. */
  function contacts_plan(report, dress) {
    if (!report.runs.some((run) => run.contacts.spans.length))
      return { missing: 'lasting contacts (there were none)' };
    const all = report.runs.map(events_of).filter(({ impacts, spans }) => impacts.size || spans.size);
    const alone = report.runs.length === 1;
    const chosen = choose_lanes(report, all);
    const { lanes } = chosen;
    const shown = (state_of) => all.filter(({ run }) => state_of({ run: run.index }));
    const note = note_for(report.runs, chosen);
    return {
      id: 'contacts',
      title: 'Contacts',
      note,
      describe: () => all.map((one) => describe_run(one, lanes, alone)).join('. ') + '.',
      build: () => ({
        lines: all.map((one) => line_of(one, lanes, dress)),
        height: Math.min(460, Math.max(226, 70 + lanes.length * (6 + 9 * all.length))),
        range: () => () => [0.5 - lanes.length, 0.5],
        axis: lane_axis(lanes),
        tip_rows: (t, is_shown) => rows_at(shown(is_shown), lanes, t, alone),
        paint: (u, is_shown) =>
          shown(is_shown).forEach((one) => paint_run(u, one, lanes, all.indexOf(one), all.length, alone)),
      }),
    };
  }

  Object.assign(carom, { contacts_plan });
})((window.carom ??= {}));
