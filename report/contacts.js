/** Contacts that last: which ones do at a time, which were let go just before, and when that changes. */
(function (carom) {
  'use strict';

  /** True while the contact of this span lasts. A run that ended with it does not let it go. */
  const lasts = (span, t) => span.from <= t && (t < span.to || span.open);

  /** Names without repetition, in order. */
  const names_of = (run, spans) => [...new Set(spans.map((span) => run.contacts.names[span.contact]))];

  /** The contacts of a run that last at time t. */
  function lasting_at(run, t) {
    return names_of(
      run,
      run.contacts.spans.filter((span) => lasts(span, t)),
    );
  }

  /** Those that were released in the time `ago` before t and have not begun again. */
  function released_before(run, t, ago) {
    const now = lasting_at(run, t);
    const let_go = run.contacts.spans.filter((span) => span.released && span.to <= t && t < span.to + ago);
    return names_of(run, let_go).filter((name) => !now.includes(name));
  }

  /** The times of all beginnings and releases. */
  function change_times(run) {
    return run.contacts.spans.flatMap((span) => (span.released ? [span.from, span.to] : [span.from]));
  }

  /** "resting on floor; wall released". More than two are counted. */
  function contacts_in_words(lasting, released) {
    const listed = (names) => (names.length > 2 ? `${names.length} contacts` : names.join(' and '));
    const parts = [];
    if (lasting.length) parts.push('resting on ' + listed(lasting));
    if (released.length) parts.push(listed(released) + ' released');
    return parts.join('; ');
  }

  /** The colour of bars: with one run their own, beside the ticks of impacts; with several the run's. */
  const lasting_colour = (run, alone) => (alone ? 'lasting' : carom.run_colour(run.index));

  /**
   * Marks on a canvas along a line at height y: a bar from each `from` to its `to`, thin until the last bounces have
   * died out, hollow where it slides, and an open ring where it was let go.
   * Rings that would cover each other are left out.
   */
  function paint_spans(ctx, bars, y, { colour, alpha, thickness, radius, background }) {
    ctx.fillStyle = carom.faded(colour, alpha);
    const bar = (from, to, height) => ctx.fillRect(from, y - height / 2, to - from, height);
    for (const { from, settled, to } of bars) {
      bar(from, settled, 0.4 * thickness);
      bar(settled, Math.max(to, from + 1.5), thickness);
    }
    ctx.fillStyle = background;
    for (const { slides } of bars) for (const { from, to } of slides ?? []) bar(from, to, 0.4 * thickness);
    ctx.strokeStyle = carom.colour(colour);
    ctx.lineWidth = Math.max(1, radius / 2.2);
    let last = -Infinity;
    for (const { to } of bars.filter((bar) => bar.released).sort((a, b) => a.to - b.to)) {
      if (to - last < 2.5 * radius) continue;
      last = to;
      ctx.beginPath();
      ctx.arc(to, y, radius, 0, 2 * Math.PI);
      ctx.fill();
      ctx.stroke();
    }
  }

  const most_badges = 24;
  const few_badges = 6; // more are counted

  /** A line of badges, as many as fit: filled while a contact lasts, outlined for a moment after its release. */
  function make_badges() {
    const list = carom.element('ul', { class: 'badges', 'aria-hidden': 'true' });
    let shown = '';

    function badge({ run, name, kind, alone }) {
      const style = `--badge: var(--${lasting_colour(run, alone)})`;
      const words = { class: 'badge ' + kind, style, title: alone ? null : run.label };
      return carom.element('li', words, name);
    }

    /** @param {{run: object, name: string, kind: string, alone: boolean}[]} badges kind: lasting or released */
    function show(badges) {
      const key = badges.map(({ run, name, kind }) => `${run.index} ${kind} ${name}`).join('\n');
      if (key === shown) return;
      shown = key;
      list.replaceChildren(...badges.slice(0, most_badges).map(badge));
      if (badges.length > few_badges)
        list.prepend(carom.element('li', { class: 'badge more' }, `${badges.length} contacts`));
    }

    return { list, show };
  }

  Object.assign(carom, {
    lasting_at,
    released_before,
    change_times,
    contacts_in_words,
    lasting_colour,
    paint_spans,
    make_badges,
  });
})((window.carom ??= {}));
