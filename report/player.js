/** The clock of the animation. The page opens at rest, at the first frame. */
(function (carom) {
  'use strict';

  const speeds = [0.1, 0.2, 0.5, 1, 2, 5, 10];
  /**
   * What there is to play: the runs with a motion, from when to when, and how much time passes in a second at 1×.
   * One unit of time takes a second, unless the whole would then be over in a blink or take most of an hour.
   */
  function make_film(report) {
    const movers = report.runs
      .filter((run) => run.motion)
      .map((run) => ({ run, motion: carom.make_motion(run.motion, run.impacts.t) }));
    if (movers.length === 0) return null;
    const start = Math.min(...movers.map(({ motion }) => motion.start));
    const end = Math.max(...movers.map(({ motion }) => motion.end));
    const dt = Math.min(...movers.map(({ motion }) => motion.dt));
    const span = end - start;
    let rate = 1;
    while (span > 0 && span / rate < 2) rate /= 10;
    while (span / rate > 3000) rate *= 10;
    return { movers, start, end, dt, rate };
  }

  /** The verbs of the animation, for buttons, keys and plots alike. */
  function make_player(state, film) {
    const { start, end, dt, rate } = film;
    let last = null;

    function seek(t) {
      state.set({ time: Math.min(Math.max(t, start), end) });
    }

    function tick(now) {
      if (!state.playing) return;
      const elapsed = last === null ? 0 : Math.min(now - last, 100) / 1000;
      last = now;
      seek(state.time + elapsed * rate * state.speed);
      if (state.time >= end) pause();
      else requestAnimationFrame(tick);
    }

    function play() {
      if (state.playing) return;
      if (state.time >= end) seek(start);
      last = null;
      state.set({ playing: true });
      requestAnimationFrame(tick);
    }

    function pause() {
      state.set({ playing: false });
    }

    /** Goes on by whole frames, from the nearest one. */
    function step(frames) {
      pause();
      seek(start + (Math.round((state.time - start) / dt) + frames) * dt);
    }

    /** To the next impact, beginning or release of a contact of the runs shown, or the one before. */
    function to_event(direction) {
      const shown = film.movers.filter(({ run }) => state.visible[run.index]);
      const times = shown.flatMap(({ run }) => [...run.impacts.t, ...carom.change_times(run)]);
      // Runs that have not parted yet hit at nearly the same time: that is one stop, not several.
      const near = shown.length > 1 ? dt / 2 : 1e-9 * Math.max(1, Math.abs(state.time));
      const ahead = times.filter((t) => direction * (t - state.time) > near && t >= start && t <= end);
      if (ahead.length) seek(direction > 0 ? Math.min(...ahead) : Math.max(...ahead));
    }

    function change_speed(by) {
      const at = speeds.indexOf(state.speed) + by;
      if (at >= 0 && at < speeds.length) state.set({ speed: speeds[at] });
    }

    return {
      play,
      pause,
      seek,
      step,
      to_event,
      change_speed,
      toggle: () => (state.playing ? pause() : play()),
      to_start: () => seek(start),
      to_end: () => {
        pause();
        seek(end);
      },
    };
  }

  Object.assign(carom, { make_film, make_player, speeds });
})((window.carom ??= {}));
