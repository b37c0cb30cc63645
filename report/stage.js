/** The canvas on which the runs move, one over the other. */
(function (carom) {
  'use strict';

  const font = 'system-ui, sans-serif';

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
    const words = carom.make_words(host, report, state, film);
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
        carom.paint_rings(ctx, run, alone, words, lens.to);
      } else {
        tracks.paint_dots(ctx, motion, t, 0.25 * film.rate, name, ctx.globalAlpha);
      }
      ctx.globalAlpha = 1;
    }

    function paint() {
      if (width === 0) return;
      ctx.clearRect(0, 0, width, height);
      const movers = words.shown();
      if (scene) {
        const { motion } = movers[0] ?? film.movers[0];
        lens = carom.make_lens(camera.at(motion.at(state.time), state.time), width, height);
        carom.paint_walls(ctx, lens, scene.walls);
      } else {
        tracks.paint_lines(ctx);
      }
      [...movers].reverse().forEach((mover) => paint_mover(mover, film.movers.length === 1, mover === movers[0]));
      words.write();
    }

    carom.watch_width(host, resize);
    for (const name of ['time', 'visible', 'theme', 'speed']) state.on(name, paint);
    words.describe(canvas, scene ? 'Drawing of the system' : 'Coordinates as moving dots');
    return { canvas, complaints: scene ? scene.complaints : [], follows: Boolean(camera?.follows) };
  }

  Object.assign(carom, { make_stage });
})((window.carom ??= {}));
