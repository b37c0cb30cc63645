/** The lines above the animation: the latest impact, the contacts that last; and the picture in words. */
(function (carom) {
  'use strict';

  const mark_seconds = 0.5;

  /**
   * @param {HTMLElement} host where the lines go
   * @param {object} report
   * @param {object} state
   * @param {{movers: {run: object, motion: object}[], rate: number}} film
   */
  function make_words(host, report, state, film) {
    const { element } = carom;
    const note = element('p', { class: 'stage-note', 'aria-hidden': 'true' });
    const badges = carom.make_badges();
    const [hits, lasts] = ['impacts', 'contacts'].map((what) => film.movers.some(({ run }) => run[what].count > 0));
    if (hits || lasts) host.append(element('div', { class: 'stage-words' }, note, lasts ? badges.list : null));

    const shown = () => film.movers.filter(({ run }) => state.visible[run.index]);

    /** From 0 to 1 (over), for what happened at t. */
    const age_of = (t) => Math.min(1, (state.time - t) / (mark_seconds * film.rate * state.speed));

    /** The latest impact of a run: its number, and its age. */
    function latest_impact(run) {
      const at = carom.last_before(run.impacts.t, state.time + 1e-12);
      return at < 0 ? null : { at, age: age_of(run.impacts.t[at]) };
    }

    /** The contacts of a run now: those that last, and those just released. */
    function contacts_now(run) {
      const t = state.time + 1e-12;
      const ago = 2 * mark_seconds * film.rate * state.speed;
      return { lasting: carom.lasting_at(run, t), released: carom.released_before(run, t, ago) };
    }

    function badges_of({ run }) {
      const alone = film.movers.length === 1;
      const { lasting, released } = contacts_now(run);
      const all = (names, kind) => names.map((name) => ({ run, name, kind, alone }));
      return [...all(lasting, 'lasting'), ...all(released, 'released')];
    }

    function impact_in_words(run, impact) {
      const contact = run.contact_names[run.impacts.contact[impact.at]];
      // Where the report has only some of the impacts, their numbers are not known.
      const numbered = run.impacts.count === run.impacts.t.length;
      return 'impact' + (numbered ? ' ' + carom.format.count(impact.at + 1) : '') + (contact ? ` · ${contact}` : '');
    }

    /** Writes the lines for the present time. */
    function write() {
      const movers = shown();
      const run = movers[0]?.run;
      const impact = run && latest_impact(run);
      const { lasting, released } = run ? contacts_now(run) : { lasting: [], released: [] };
      const contacts = carom.contacts_in_words(lasting, released);
      note.style.opacity = contacts ? '1' : impact ? String(Math.max(0.75, 1 - impact.age)) : '0';
      note.textContent = [impact ? impact_in_words(run, impact) : '', contacts].filter(Boolean).join(' — ');
      badges.show(movers.flatMap(badges_of));
    }

    /** Keeps the canvas described: what it shows, and where the first coordinates are. */
    function describe(canvas, what) {
      function speak() {
        const places = shown()
          .slice(0, 3)
          .map(({ run, motion }) => {
            const q = motion
              .at(state.time)
              .slice(0, 6)
              .map((x, i) => `${report.coordinates[i]} = ${carom.format.spoken(x)}`);
            const contacts = carom.contacts_in_words(carom.lasting_at(run, state.time + 1e-12), []);
            return (film.movers.length > 1 ? run.label + ': ' : '') + [...q, contacts].filter(Boolean).join(', ');
          });
        const time = carom.format.spoken(state.time);
        canvas.setAttribute('aria-label', `${what} at t = ${time}. ${places.join('; ')}`);
      }
      state.on('playing', speak);
      state.on('time', () => state.playing || speak());
      speak();
    }

    return { shown, age_of, latest_impact, write, describe };
  }

  Object.assign(carom, { make_words });
})((window.carom ??= {}));
