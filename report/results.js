/** What is numbers alone: derivatives, periodic orbits and exponents, in tables, with a picture of a branch. */
(function (carom) {
  'use strict';

  const { element } = carom;

  function make_result_table({ caption, columns, rows }) {
    const cells = ([name, ...rest]) => [
      element('th', { scope: 'row', role: 'rowheader' }, element('span', {}, name)),
      ...rest.map((text, k) => carom.make_cell({ name: columns[k + 1] }, text)),
    ];
    return carom.make_table(
      caption,
      columns.map((name) => ({ name })),
      rows.map((row) => element('tr', { role: 'row' }, cells(row))),
    );
  }

  function start_results(section, { sentence, tables, picture }) {
    if (sentence) section.append(element('p', { class: 'remark' }, sentence));
    if (picture)
      section.append(element('img', { src: `data:image/svg+xml;base64,${picture}`, alt: 'The branch of periodic orbits, or the points of a section' }));
    for (const table of tables) section.append(make_result_table(table));
    return null;
  }

  const words = {
    sensitivity: 'Derivatives of a run of the system ',
    orbit: 'Periodic orbits of the system ',
    section: 'A Poincaré section of a run of the system ',
    lyapunov: 'Lyapunov exponents of a run of the system ',
  };

  Object.assign(carom, { start_results, result_words: words });
})((window.carom ??= {}));
