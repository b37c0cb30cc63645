/** Puts the page together. */
(function (carom) {
  'use strict';

  const { element } = carom;
  const part = (id) => document.getElementById(id);

  /** Runs one part of the page; if it fails, says so in its place and goes on with the rest. */
  function guarded(section, work) {
    try {
      return work();
    } catch (error) {
      section.append(
        element('p', { class: 'notice alarm' }, `This part of the page could not be shown: ${error.message}`),
      );
      return null;
    }
  }

  function start_figures(section, report, state) {
    if (report.sweep) section.append(carom.make_sweep_figures(report.sweep));
    if (report.results) return carom.start_results(section, report.results);
    if (report.convergence) return carom.start_convergence(section, report.convergence, state);
    if (report.runs.length === 1) section.append(carom.make_key_figures(report, report.runs[0]));
    if (report.runs.length > 1) section.append(carom.make_method_table(report));
    return null;
  }

  /** One switch a run, for the animation and every plot; stays in view. */
  function start_run_switches(host, report, state) {
    if (report.runs.length < 2) return;
    const entries = report.runs.map((run) => ({
      label: run.label,
      colour: carom.run_colour(run.index),
      dash: carom.run_dash(run.index),
      index: run.index,
    }));
    host.hidden = false;
    host.append(
      carom.make_legend('Runs shown', entries, ({ index }, shown) =>
        state.set({ visible: state.visible.map((was, i) => (i === index ? shown : was)) }),
      ),
    );
  }

  /** The animation, and the phase portrait beside it; bodies in space have all of the width, as turns make no portraits. */
  function start_motion(section, report, state, film) {
    const phase = report.space ? null : carom.make_phase_panel(report, state);
    if (!film && !phase) return { player: null, panels: [] };
    const row = element('div', { class: report.space ? null : 'side-by-side' });
    section.append(row);
    const theatre = film ? carom.start_theatre(row, report, state, film) : null;
    if (phase) {
      row.append(phase.figure);
      phase.start(theatre ? Math.max(260, theatre.stage_height - 66) : 320);
    }
    return { player: theatre?.player ?? null, panels: phase ? [phase] : [] };
  }

  function start() {
    const failed = part('failed');
    let report;
    try {
      report = carom.read_report(part('carom-data').textContent);
    } catch (error) {
      failed.hidden = false;
      failed.textContent = `The data of this report cannot be read: ${error.message}`;
      return;
    }
    const film = carom.make_film(report);
    const state = carom.make_state({
      time: film?.start ?? 0,
      playing: false,
      speed: 1,
      zoom: null,
      theme: 'light',
      visible: report.runs.map(() => true),
    });
    carom.start_theme(state, part('theme'));
    carom.start_printing();
    guarded(part('heading'), () => carom.write_heading(part('heading'), report));
    guarded(part('runs'), () => start_run_switches(part('runs'), report, state));
    const motion = guarded(part('motion'), () => start_motion(part('motion'), report, state, film)) ?? { panels: [] };
    const converge = guarded(part('figures'), () => start_figures(part('figures'), report, state));
    const maps = report.sweep
      ? guarded(part('plots'), () => carom.start_sweep(part('plots'), report.sweep, state))
      : null;
    const plots = report.runs.some((run) => run.series.t.length)
      ? guarded(part('plots'), () => {
          part('plots').append(element('h2', {}, 'Over time'));
          return carom.start_plots(part('plots'), report, state, motion.player);
        })
      : null;
    if (report.runs.length && !plots)
      part('motion').append(element('p', { class: 'remark' }, 'No states were recorded.'));
    guarded(part('details'), () => carom.write_details(part('details'), report));
    Object.assign(carom, {
      report,
      state,
      film,
      player: motion.player ?? null,
      panels: plots ?? [],
      portraits: motion.panels,
      converge,
      maps,
    });
    document.documentElement.dataset.ready = 'true';
  }

  start();
})((window.carom ??= {}));
