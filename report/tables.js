/** Wide tables: methods compared, and observed orders. On a phone each row becomes a block (style.css). */
(function (carom) {
  'use strict';

  const { element, unseen, format } = carom;

  /** A table with caption and scopes; the head of a column may have a unit below its name. */
  function make_table(caption, columns, rows) {
    const heads = columns.map(({ name, unit }) =>
      element('th', { scope: 'col', role: 'columnheader' }, name, unit ? element('small', {}, unit) : null),
    );
    const table = element('table', { class: 'methods', role: 'table' }, element('caption', {}, caption));
    table.append(element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, heads)));
    table.append(element('tbody', { role: 'rowgroup' }, rows));
    return element('div', { class: 'wide', role: 'region', 'aria-label': 'Table', tabindex: 0 }, table);
  }

  /** A row: the name of what it is about, with its colour, then its cells. */
  function make_row(look, name, cells) {
    const head = element('th', { scope: 'row', role: 'rowheader' }, carom.swatch(look), element('span', {}, name));
    return element('tr', { role: 'row' }, head, cells);
  }

  /** A cell that knows the name of its column, for the narrow layout. */
  function make_cell({ name, unit }, text, is_best = false) {
    const mark = is_best ? element('i', { class: 'best-mark' }, 'best') : null;
    const attributes = {
      role: 'cell',
      'data-name': unit ? `${name}, ${unit}` : name,
      class: is_best ? 'best' : null,
    };
    return element('td', attributes, element('span', {}, text, mark));
  }

  const smallest = (a, b) => Math.abs(a) < Math.abs(b);
  const latest = (a, b) => a > b;

  /** Columns of the table of methods; `better` says which of two values is. */
  const method_columns = [
    { key: 'energy_error', name: 'Energy error', unit: 'largest', show: format.number, better: smallest },
    { key: 'drift', name: 'Drift', unit: 'per unit of time', show: format.number, better: smallest },
    { key: 'shadow_error', name: 'Shadow error', unit: 'largest', show: format.number, better: smallest },
    { key: 'momentum_error', name: 'Momentum error', unit: 'largest', show: format.number, better: smallest },
    { key: 'impacts', name: 'Impacts', unit: '', show: format.count },
    {
      key: 'followed_until',
      name: 'Followed',
      unit: 'until t',
      show: (x) => format.exact(format.rounded(x, 5)),
      better: latest,
    },
    { key: 'microseconds_per_step', name: 'Cost', unit: 'µs per step', show: format.number, better: smallest },
    { key: 'wall_seconds', name: 'Time taken', unit: '', show: format.seconds, better: smallest },
  ];

  /** The best value of a column among runs that went through; null when nothing stands out. */
  function best_value(runs, { key, better, show }) {
    const values = runs
      .filter((run) => run.status !== 'failed')
      .map((run) => run.row[key])
      .filter(format.is_number);
    if (!better || values.length < 2) return null;
    const best = values.reduce((a, b) => (better(b, a) ? b : a));
    return values.every((x) => show(x) === show(best)) ? null : best;
  }

  /** As good as the best, as far as the digits shown tell. */
  function is_as_good(run, { key, show }, best) {
    const value = run.row[key];
    if (best === null || run.status === 'failed' || !format.is_number(value)) return false;
    return show(Math.abs(value)) === show(Math.abs(best));
  }

  /** One row a run, the best of each column marked by a word. */
  function make_method_table({ runs }) {
    const used = method_columns.filter(({ key }) => runs.some((run) => format.is_number(run.row[key])));
    const best = used.map((column) => best_value(runs, column));
    const rows = runs.map((run) => {
      const name = [run.label];
      if (run.method && run.method !== run.label) name.push(element('small', {}, run.method));
      if (run.status !== 'completed') name.push(element('em', { class: 'status' }, run.status));
      const cells = used.map((column, i) =>
        make_cell(column, column.show(run.row[column.key]), is_as_good(run, column, best[i])),
      );
      return make_row({ colour: carom.run_colour(run.index), dash: carom.run_dash(run.index) }, name, cells);
    });
    const hint = unseen('. The best value of a column is marked by the word best.');
    return make_table(['Methods compared', hint], [{ name: 'Method' }, ...used], rows);
  }

  /** Does the fit agree with the claim? Too high an order is as suspicious as too low a one. */
  function verdict({ slope, claimed_order }) {
    if (slope === null || claimed_order === null) return '–';
    if (Math.abs(slope - claimed_order) <= 0.5) return 'agrees';
    return slope < claimed_order ? 'lower than claimed' : 'higher than claimed';
  }

  const order_columns = [
    { name: 'Observed order', unit: 'fitted slope', show: ({ slope }) => (slope === null ? '–' : slope.toFixed(2)) },
    { name: 'Claimed', show: ({ claimed_order }) => format.exact(claimed_order) },
    { name: 'Verdict', show: verdict },
    { name: 'Smallest error', show: ({ error }) => format.number(extreme(Math.min, error)) },
    { name: 'Largest h', show: ({ h }) => format.exact(extreme(Math.max, h)) },
    { name: 'Smallest h', show: ({ h }) => format.exact(extreme(Math.min, h)) },
  ];

  function extreme(pick, values) {
    const known = values.filter(format.is_number);
    return known.length ? pick(...known) : null;
  }

  function make_order_table({ reference, series }) {
    const rows = series.map((one, k) =>
      make_row(
        { colour: carom.run_colour(k) },
        one.label,
        order_columns.map((column) => make_cell(column, column.show(one))),
      ),
    );
    const caption = 'Observed orders' + (reference ? ` (reference: ${reference})` : '');
    return make_table(caption, [{ name: 'Method' }, ...order_columns], rows);
  }

  Object.assign(carom, { make_table, make_cell, make_method_table, make_order_table });
})((window.carom ??= {}));
