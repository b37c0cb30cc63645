/** The marks below the slider: ticks where there are impacts, and below them bars while contacts last. */
(function (carom) {
  'use strict';

  const thumb = 20;
  const tick_height = 7;
  const has_spans = ({ run }) => run.contacts.spans.length > 0;

  /** Rows of bars: one for each run with contacts that last, closer together where there are many. */
  function rug_rows(film) {
    const movers = film.movers.filter(has_spans);
    const pitch = movers.length > 3 ? 5 : 8;
    return { movers, pitch, height: tick_height + (movers.length ? 3 + pitch * movers.length : 0) };
  }

  function paint_ticks(ctx, run, film, width, to_x) {
    const inside = run.impacts.t.filter((t) => t >= film.start && t <= film.end);
    const alpha = Math.min(0.8, Math.max(0.15, (0.2 * width) / inside.length));
    ctx.fillStyle = carom.faded(carom.run_colour(run.index), alpha);
    for (const t of inside) ctx.fillRect(to_x(t), 0, 1, tick_height);
  }

  function paint_bars(ctx, run, film, y, pitch, to_x) {
    const bars = run.contacts.spans
      .filter(({ from, to }) => from <= film.end && to >= film.start)
      .map(({ from, settled, to, released }) => ({
        from: to_x(Math.max(from, film.start)),
        settled: to_x(Math.min(Math.max(settled, film.start), film.end)),
        to: to_x(Math.min(to, film.end)),
        released: released && to <= film.end,
      }));
    carom.paint_spans(ctx, bars, y, {
      colour: carom.lasting_colour(run, film.movers.length === 1),
      alpha: 0.6, // where several contacts last it is darker
      thickness: 3,
      radius: Math.min(3, pitch / 2 - 0.5),
      background: carom.colour('page'),
    });
  }

  function make_rug(film, state) {
    const rug = carom.element('canvas', { class: 'rug', 'aria-hidden': 'true' });
    const rows = rug_rows(film);
    rug.style.height = rows.height + 'px';

    function paint() {
      const ratio = window.devicePixelRatio || 1;
      const width = rug.clientWidth;
      rug.width = Math.round(width * ratio);
      rug.height = Math.round(rows.height * ratio);
      const ctx = rug.getContext('2d');
      ctx.scale(ratio, ratio);
      const to_x = (t) => thumb / 2 + ((t - film.start) / (film.end - film.start || 1)) * (width - thumb);
      const shown = ({ run }) => state.visible[run.index];
      for (const { run } of film.movers.filter(shown)) paint_ticks(ctx, run, film, width, to_x);
      rows.movers.forEach((mover, row) => {
        const y = tick_height + 3 + rows.pitch * (row + 0.5);
        if (shown(mover)) paint_bars(ctx, mover.run, film, y, rows.pitch, to_x);
      });
    }

    carom.watch_width(rug, paint);
    for (const name of ['visible', 'theme']) state.on(name, paint);
    return rug;
  }

  Object.assign(carom, { make_rug });
})((window.carom ??= {}));
