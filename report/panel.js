/** A plot with its title, its switches and its legend. */
(function (carom) {
  'use strict';

  const { element, format } = carom;

  /** A small box beside the mouse with the values there. */
  function make_tip() {
    const box = element('div', { class: 'tip', 'aria-hidden': 'true' });
    let inside = null;

    function nearest(line, t) {
      const at = carom.last_before(line.t, t);
      const next = Math.min(at + 1, line.t.length - 1);
      return at >= 0 && Math.abs(line.t[at] - t) <= Math.abs(line.t[next] - t) ? at : next;
    }

    /** The value of each line at time t. */
    function values_at(spec, t) {
      const shown = spec.lines.filter((line) => spec.is_shown(line) && line.t.length);
      return shown.map((line) => ({ ...line, text: format.number(line.drawn[nearest(line, t)], 3) }));
    }

    function update(u, spec) {
      if (u !== inside || !(u.cursor.left >= 0)) return;
      const t = u.posToVal(u.cursor.left, 'x');
      const rows = (spec.tip_rows ? spec.tip_rows(t, spec.is_shown) : values_at(spec, t)).map((row) =>
        element('div', {}, swatch(row), element('span', {}, row.label), element('b', {}, row.text)),
      );
      box.replaceChildren(element('div', { class: 'tip-time' }, 't = ' + format.number(t, 5)), ...rows);
      const room = u.over.clientWidth - u.cursor.left;
      const flip = room < box.offsetWidth + 24;
      box.style.transform = `translate(${u.cursor.left + (flip ? -box.offsetWidth - 12 : 12)}px, 6px)`;
    }

    return {
      update,
      enter: (u) => {
        inside = u;
        u.over.append(box);
      },
      leave: (u) => {
        if (inside === u) {
          inside = null;
          box.remove();
        }
      },
    };
  }

  /** A short piece of the line, as it is drawn. */
  function swatch({ colour, dash }) {
    const style = dash?.length ? 'dashed' : 'solid';
    return element('i', { class: 'swatch', style: `border-top: 3px ${style} var(--${colour})` });
  }

  /** Buttons that show and hide what `entries` stand for. */
  function make_legend(name, entries, on_toggle) {
    return element(
      'div',
      { class: 'legend', role: 'group', 'aria-label': name },
      entries.map((entry) => {
        const button = element(
          'button',
          {
            type: 'button',
            'aria-pressed': String(entry.shown !== false),
            title: 'Show or hide',
            onclick: () => {
              const shown = button.getAttribute('aria-pressed') !== 'true';
              button.setAttribute('aria-pressed', String(shown));
              on_toggle(entry, shown);
            },
          },
          swatch(entry),
          entry.label,
        );
        return button;
      }),
    );
  }

  /**
   * @param {object} plan id, title, note, choices (or null), with_log, log, build(choice, log), describe(spec)
   * @param {object} state
   * @param {object} actions as of make_time_plot
   */
  function make_panel(plan, state, actions) {
    const host = element('div', { class: 'plot', role: 'img', id: 'plot-' + plan.id });
    const tools = element('div', { class: 'tools' });
    const note = element('p', {});
    const legend = element('div', { class: 'legend-place' });
    const figure = element(
      'figure',
      { class: 'panel', id: 'panel-' + plan.id },
      element('figcaption', {}, element('h3', {}, plan.title), tools, note),
      legend,
      host,
    );
    let chosen = plan.choices?.[0].value ?? null,
      log = plan.log ?? false,
      plot = null,
      spec = null;
    if (plan.chosen) chosen = plan.chosen;

    if (plan.choices?.length > 1) {
      tools.append(
        carom.choice(plan.title + ': which', plan.choices, chosen, (value) => {
          chosen = value;
          build();
        }),
      );
    }
    if (plan.with_log) {
      const scales = [
        { value: 'linear', label: 'linear' },
        { value: 'log', label: 'log' },
      ];
      tools.append(
        carom.choice(plan.title + ': scale', scales, log ? 'log' : 'linear', (value) => {
          log = value === 'log';
          build();
        }),
      );
    }

    const is_shown = (line) => line.shown !== false && (line.run === undefined || state.visible[line.run]);

    function build() {
      plot?.destroy();
      spec = plan.build(chosen, log);
      Object.assign(spec, { log, is_shown });
      plot = carom.make_time_plot(host, spec, state, actions);
      note.textContent = spec.note ?? plan.note ?? '';
      if (state.zoom) plot.show_zoom();
      plot.show_lines(is_shown);
      plot.show_time();
      host.setAttribute('aria-label', plan.title + ' over time: ' + plan.describe(spec));
      legend.replaceChildren(...(spec.legend ? [make_legend(plan.title, spec.legend, toggled)] : []));
      Object.assign(panel, { log, u: plot.u });
    }

    function toggled(entry, shown) {
      entry.shown = shown;
      for (const line of spec.lines) if (line.component === entry.component) line.shown = shown;
      plot.show_lines(is_shown);
    }

    const panel = {
      id: plan.id,
      figure,
      start() {
        build();
        carom.watch_width(host, (width) => plot.resize(width));
        state.on('time', () => plot.show_time());
        state.on('zoom', () => plot.show_zoom());
        state.on('theme', () => plot.redraw());
        state.on('visible', () => plot.show_lines(is_shown));
      },
      /** Where the time line is, in pixels from the left edge of the plot; for tests. */
      cursor: () => plot.u.valToPos(state.time, 'x'),
    };
    return panel;
  }

  Object.assign(carom, { make_panel, make_tip, make_legend, swatch });
})((window.carom ??= {}));
