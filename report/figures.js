/** The key figures of one run: a real table, laid out as a row of cells. */
(function (carom) {
  'use strict';

  const { element, format } = carom;

  /** "begun; floor at the end", "begun, 2 released; none at the end" */
  function contacts_at_end(contacts) {
    if (!contacts) return '';
    const last = contacts.lasting ?? [];
    const names = last.length > 2 ? `${format.count(last.length)} of them` : last.join(' and ') || 'none';
    return `begun${contacts.released ? `, ${format.count(contacts.released)} released` : ''}; ${names} at the end`;
  }

  /** Forces, friction or losses change the energy: what counts is what they do not explain. */
  const is_open = ({ energy }) => Boolean(energy?.work || energy?.friction || energy?.lossy);

  /** "0.53 of H(0) = 23.66" */
  function part_of_energy(x, initial) {
    if (!format.is_number(x) || !format.is_number(initial) || initial === 0) return null;
    return `${format.number(Math.abs(x / initial))} of ${format.equation('H(0)', format.rounded(initial, 4))}`;
  }

  /** What became of the energy: of a closed system its error and drift, of an open one where it went. */
  function energy_figures({ summary, row }) {
    const { initial, final, work, friction, loss, lossy } = summary.energy ?? {};
    if (!is_open(summary))
      return [
        [
          'Energy error',
          format.number(row.energy_error),
          part_of_energy(row.energy_error, initial) ?? 'largest |H − H(0)|',
        ],
        ['Energy drift', format.number(row.drift), 'per unit of time'],
      ];
    const known = [initial, final].every(format.is_number);
    return [
      ['Lost at impacts', lossy ? format.number(loss, 3) : '–', part_of_energy(loss, initial) ?? 'of the energy'],
      ['Work of forces', work ? format.number(work, 3) : '–', 'since the start'],
      ['Taken by friction', friction ? format.number(-friction, 3) : '–', 'since the start'],
      [
        'Energy at the end',
        known ? format.number(final, 4) : '–',
        format.equation('H(0)', format.rounded(initial, 4)),
      ],
      ['Energy error', format.number(row.energy_error), 'what these do not explain, at the end'],
    ];
  }

  /** Key figures of a run: name, value, and a word of context. */
  function key_figures(report, run) {
    const { summary, row } = run;
    const last_impact = run.impacts.count === run.impacts.t.length ? run.impacts.t.at(-1) : null;
    const gap = summary.gap?.min;
    const figures = [
      ...energy_figures(run),
      [
        'Shadow energy error',
        format.number(is_open(summary) ? null : row.shadow_error),
        summary.shadow_energy?.order ? `largest, to order ${summary.shadow_energy.order}` : 'largest',
      ],
      ['Momentum error', format.number(row.momentum_error), report.momenta.join(', ')],
      [
        'Impacts',
        format.count(row.impacts ?? run.impacts.count),
        format.is_number(last_impact) ? `the last at ${format.equation('t', format.rounded(last_impact, 6))}` : '',
      ],
      ['Lasting contacts', format.count(summary.contacts?.begun), contacts_at_end(summary.contacts)],
      [
        'Smallest gap',
        format.number(gap),
        gap < -1e-9 ? 'below zero: inside the wall' : gap < 0 ? 'zero, to rounding' : 'not below zero',
      ],
      ['Joints', format.number(summary.joints?.max_abs), 'largest |f|, which should be zero'],
      ['Followed until', format.equation('t', format.rounded(row.followed_until, 5)), 'where the reference is left'],
      [
        'Cost',
        format.seconds(row.wall_seconds),
        format.is_number(row.microseconds_per_step) ? `${format.number(row.microseconds_per_step)} µs per step` : '',
      ],
    ];
    return figures.filter(([, value]) => !value.endsWith('–'));
  }

  /** Of a sweep. */
  function sweep_figures({ members, cost, draws, axes }) {
    const grid = axes.map((axis) => format.count(axis.count)).join(' × ');
    const shape = [grid, draws ? `${format.count(draws)} draws` : ''].filter(Boolean).join(', ');
    const not_done = (members.refused ?? 0) + (members.failed ?? 0);
    return [
      ['Runs', format.count(members.count), shape],
      ['Completed', format.count(members.completed), 'of them'],
      ['Refused or failed', format.count(not_done), not_done ? 'their numbers are left out' : ''],
      ['Cost', format.seconds(cost.wall_seconds), `${format.number(cost.members_per_second)} runs per second`],
    ];
  }

  const make_key_figures = (report, run) => figures_table(key_figures(report, run));
  const make_sweep_figures = (sweep) => figures_table(sweep_figures(sweep));

  function figures_table(figures) {
    const cells = figures.map(([name, value, context]) =>
      element(
        'tr',
        { role: 'row' },
        element('th', { scope: 'row', role: 'rowheader' }, name),
        element('td', { role: 'cell' }, element('b', {}, value), element('small', {}, context)),
      ),
    );
    return element(
      'table',
      { class: 'key-figures', role: 'table' },
      element('caption', { class: 'unseen' }, 'Key figures'),
      element('tbody', { role: 'rowgroup', style: `--columns: ${columns_for(cells.length)}` }, cells),
    );
  }

  /** Rows of nearly equal length. */
  const columns_for = (cells) => (cells <= 6 ? Math.max(1, cells) : Math.ceil(cells / 2));

  Object.assign(carom, { is_open, make_key_figures, make_sweep_figures });
})((window.carom ??= {}));
