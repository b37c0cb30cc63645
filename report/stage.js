/** The canvas on which the runs move, one over the other, with a note on the latest impact and on contacts that last. */
(function (carom) {
  'use strict';

  const font = 'system-ui, sans-serif';
  const mark_seconds = 0.5;
  const most_rings = 12;
  const still = matchMedia('(prefers-reduced-motion: reduce)');

  /** Height for a view, so that a wide one is not lost in a square and a tall one does not push the page away. */
  function stage_height([left, right, bottom, top], width) {
    const wanted = (width * (top - bottom)) / (right - left);
    return Math.round(Math.min(Math.max(wanted, 0.5 * width, 220), Math.max(1.1 * width, 260), 480));
  }

  /** Which colour a body of a run has: with one run its own, with several the run's. */
  const colour_of = (run, alone) => (body) => (alone ? carom.body_colour(body) : carom.run_colour(run.index));

  /**
   * @param {HTMLElement} host
   * @param {object} report
   * @param {object} state
   * @param {{movers: {run: object, motion: object}[], rate: number}} film
   */
  function make_stage(host, report, state, film) {
    const { element } = carom;
    const canvas = element('canvas', { role: 'img' });
    const note = element('p', { class: 'stage-note', 'aria-hidden': 'true' });
    const badges = carom.make_badges();
    const [hits, lasts] = ['impacts', 'contacts'].map((what) => film.movers.some(({ run }) => run[what].count > 0));
    if (hits || lasts) host.append(element('div', { class: 'stage-words' }, note, lasts ? badges.list : null));
    host.append(canvas);
    const ctx = canvas.getContext('2d');
    const motions = film.movers.map((mover) => mover.motion);
    const scene = report.drawing ? carom.make_scene(report.drawing) : null;
    const camera = scene && carom.make_camera(scene, scene.view ?? carom.fitted_view(scene, motions), motions);
    const ranges = scene ? null : carom.coordinate_ranges(motions, report.coordinates.length);
    const trail_span = 1.6 * film.rate;
    let width = 0,
      height = 0,
      tracks = null,
      lens = null;

    const shown = () => film.movers.filter(({ run }) => state.visible[run.index]);

    function resize(new_width) {
      width = new_width;
      height = scene ? stage_height(camera.view, width) : carom.tracks_height(report.coordinates.length);
      const ratio = window.devicePixelRatio || 1;
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.height = height + 'px';
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      if (!scene) tracks = carom.make_tracks(report.coordinates, ranges, width, font);
      paint();
    }

    const age_of = (t) => Math.min(1, (state.time - t) / (mark_seconds * film.rate * state.speed));

    /** The latest impact of a run: its number, and its age from 0 to 1 (1 is over). */
    function latest_impact(run) {
      const at = carom.last_before(run.impacts.t, state.time + 1e-12);
      return at < 0 ? null : { at, age: age_of(run.impacts.t[at]) };
    }

    /** A ring where each of the latest impacts was; where there were several, for the last of them. */
    function paint_impacts(run, alone) {
      const { t, places } = run.impacts;
      const last = latest_impact(run)?.at ?? -1;
      const colour = alone ? 'impact' : carom.run_colour(run.index);
      const painted = [];
      for (let at = last; at >= 0 && last - at < most_rings && age_of(t[at]) < 1; --at) {
        const age = still.matches ? 0.2 : age_of(t[at]);
        for (const [x, y] of places[at].map(lens.to)) {
          if (painted.some(([a, b]) => Math.hypot(x - a, y - b) < 8)) continue;
          painted.push([x, y]);
          carom.paint_impact(ctx, [x, y], age, colour);
        }
      }
    }

    /** The forces of contacts that rub, from where they act; the largest of the run is a quarter of the canvas. */
    function paint_pushes(run, t, alone) {
      const { t: times, arrows, largest } = run.pushes;
      const at = carom.last_before(times, t + 1e-12);
      if (at < 0 || !(largest > 0)) return;
      const scale = (0.25 * Math.min(width, height)) / largest;
      const colour = alone ? 'lasting' : carom.run_colour(run.index);
      for (const { place, force } of arrows[at])
        carom.paint_arrow(ctx, lens.to(place), [scale * force[0], -scale * force[1]], colour);
    }

    function paint_mover({ run, motion }, alone, front) {
      const t = Math.min(state.time, motion.end);
      const name = carom.run_colour(run.index);
      const colour = colour_of(run, alone);
      const over = state.time > motion.end + motion.dt;
      ctx.globalAlpha = over ? 0.2 : front ? 1 : 0.55;
      if (scene) {
        for (const { point, body } of scene.trails)
          carom.paint_trail(ctx, lens, scene, motion, point, t, trail_span, colour(body));
        carom.paint_bodies(ctx, lens, scene, motion.at(t), t, colour);
        paint_pushes(run, t, alone);
        paint_impacts(run, alone);
      } else {
        tracks.paint_dots(ctx, motion, t, 0.25 * film.rate, name, ctx.globalAlpha);
      }
      ctx.globalAlpha = 1;
    }

    function paint() {
      if (width === 0) return;
      ctx.clearRect(0, 0, width, height);
      const movers = shown();
      if (scene) {
        const { motion } = movers[0] ?? film.movers[0];
        lens = carom.make_lens(camera.at(motion.at(state.time), state.time), width, height);
        carom.paint_walls(ctx, lens, scene.walls);
      } else {
        tracks.paint_lines(ctx);
      }
      [...movers].reverse().forEach((mover) => paint_mover(mover, film.movers.length === 1, mover === movers[0]));
      write_note(movers);
      badges.show(movers.flatMap(badges_of));
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

    function write_note(movers) {
      const run = movers[0]?.run;
      const impact = run && latest_impact(run);
      const { lasting, released } = run ? contacts_now(run) : { lasting: [], released: [] };
      const contacts = carom.contacts_in_words(lasting, released);
      note.style.opacity = contacts ? '1' : impact ? String(Math.max(0.75, 1 - impact.age)) : '0';
      note.textContent = [impact ? impact_in_words(run, impact) : '', contacts].filter(Boolean).join(' — ');
    }

    /** What the canvas shows, in words. */
    function describe() {
      const what = scene ? 'Drawing of the system' : 'Coordinates as moving dots';
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
      canvas.setAttribute('aria-label', `${what} at t = ${carom.format.spoken(state.time)}. ${places.join('; ')}`);
    }

    carom.watch_width(host, resize);
    for (const name of ['time', 'visible', 'theme', 'speed']) state.on(name, paint);
    state.on('playing', describe);
    state.on('time', () => state.playing || describe());
    describe();
    return { canvas, complaints: scene ? scene.complaints : [], follows: Boolean(camera?.follows) };
  }

  Object.assign(carom, { make_stage });
})((window.carom ??= {}));
