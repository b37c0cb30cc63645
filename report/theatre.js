/** The animation with all that belongs to it: canvas, controls, keys, remarks. */
(function (carom) {
  'use strict';

  const { element, format } = carom;

  /** What the animation covers, how it is shown, and what of the drawing could not be drawn. */
  function film_remarks(report, film, stage) {
    const ends = report.runs.flatMap((run) => [run.series.t.at(-1), run.summary.time?.end]).filter(format.is_number);
    const whole = Math.max(...ends, film.end);
    const short = (t) => format.exact(format.rounded(t, 5));
    const remarks = [];
    if (whole > film.end + 2 * film.dt) {
      const start = format.equation('t', film.start);
      remarks.push(`The animation shows ${start} to ${short(film.end)} of ${short(whole)}.`);
    }
    if (film.rate !== 1) remarks.push(`At 1× a second shows ${format.exact(film.rate)} units of time.`);
    const thinned = film.movers.find(({ run }) => run.contacts.count > run.contacts.spans.length)?.run.contacts;
    if (thinned)
      remarks.push(
        `Of ${format.count(thinned.count)} times that a contact lasted, ${format.count(thinned.spans.length)} are shown.`,
      );
    if (stage.follows) remarks.push('The view goes along with the motion.');
    if (stage.complaints.length) remarks.push(`Left out of the drawing: ${stage.complaints.join('; ')}.`);
    return remarks.concat(stage.remarks ?? []);
  }

  function start_theatre(row, report, state, film) {
    const player = carom.make_player(state, film);
    const host = element('div', { class: 'stage' });
    const theatre = element('div', { class: 'theatre' }, host);
    row.append(theatre);
    const stage = (report.space ? carom.make_space_stage : carom.make_stage)(host, report, state, film);
    stage.canvas.addEventListener('click', player.toggle);
    theatre.append(carom.make_controls(state, film, player));
    if (stage.tools) theatre.append(stage.tools);
    for (const text of film_remarks(report, film, stage)) theatre.append(element('p', { class: 'remark' }, text));
    carom.start_keys(player, host, stage.keys);
    return { player, stage_height: host.clientHeight };
  }

  Object.assign(carom, { start_theatre });
})((window.carom ??= {}));
