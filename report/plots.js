/** The section of plots over time: one zoom for all, and a word on what is not there. */
(function (carom) {
  'use strict';

  const { element, format } = carom;

  /** From when to when all plots run. */
  function whole_span(report) {
    const times = report.runs.flatMap((run) => [run.series.t[0], run.series.t.at(-1)]).filter(format.is_number);
    const [start, end] = times.length ? [Math.min(...times), Math.max(...times)] : [0, 1];
    return end > start ? [start, end] : [start - 0.5, start + 0.5];
  }

  /** Fills the section of plots; gives the panels. */
  function start_plots(section, report, state, player) {
    const span = whole_span(report);
    const plans = carom.time_plans(report);
    const shown = plans.filter((plan) => !plan.missing);
    const zoom_note = element(
      'button',
      { type: 'button', class: 'show-all', hidden: true, onclick: () => state.set({ zoom: null }) },
      'Show the whole run',
    );
    const actions = {
      seek: player
        ? (t) => {
            player.pause();
            player.seek(t);
          }
        : null,
      zoomed: (low, high) => state.set({ zoom: [low, high] }),
      reset: () => state.set({ zoom: null }),
      tip: carom.make_tip(),
    };
    const panels = shown.map((plan) =>
      carom.make_panel({ ...plan, build: (...choice) => ({ span, ...plan.build(...choice) }) }, state, actions),
    );
    const left_out = plans.filter((plan) => plan.missing).map((plan) => plan.missing);
    section.append(
      element(
        'div',
        { class: 'panels' },
        panels.map((panel) => panel.figure),
      ),
      zoom_note,
    );
    if (left_out.length)
      section.append(element('p', { class: 'remark' }, `Not shown, for want of data: ${left_out.join(', ')}.`));
    for (const panel of panels) panel.start();

    state.on('zoom', () => (zoom_note.hidden = !state.zoom));
    state.on('time', () => {
      if (!state.playing || !state.zoom || state.time <= state.zoom[1] || state.time > span[1]) return;
      const width = state.zoom[1] - state.zoom[0];
      state.set({ zoom: [state.time - 0.1 * width, state.time + 0.9 * width] });
    });
    return panels;
  }

  Object.assign(carom, { start_plots });
})((window.carom ??= {}));
