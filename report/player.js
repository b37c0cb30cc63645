/** The clock of the animation and its controls. The page opens at rest, at the first frame. */
(function (carom) {
  'use strict';

  const speeds = [0.1, 0.2, 0.5, 1, 2, 5, 10];
  const icons = {
    play: 'M6 4l14 8-14 8z',
    pause: 'M6 4h4v16H6zM14 4h4v16h-4z',
    start: 'M5 4h3v16H5zM20 4v16L9 12z',
    back: 'M16 5v14L6 12z',
    forward: 'M8 5v14l10-7z',
    impact: 'M4 4v16l9-8zM14 4v16l5-6.5v-3zM19 4h2v16h-2z',
  };

  function icon(name) {
    const space = 'http://www.w3.org/2000/svg';
    const svg = document.createElementNS(space, 'svg');
    const path = document.createElementNS(space, 'path');
    svg.setAttribute('viewBox', '0 0 24 24');
    svg.setAttribute('aria-hidden', 'true');
    path.setAttribute('d', icons[name]);
    svg.append(path);
    return svg;
  }

  /**
   * What there is to play: the runs with a motion, from when to when, and how much time passes in a second at 1×.
   * One unit of time takes a second, unless the whole would then be over in a blink or take the better part of an hour.
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

    /** To the next impact of the runs shown, or the one before. */
    function to_impact(direction) {
      const shown = film.movers.filter(({ run }) => state.visible[run.index]);
      const times = shown.flatMap(({ run }) => run.impacts.t);
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
      to_impact,
      change_speed,
      toggle: () => (state.playing ? pause() : play()),
      to_start: () => seek(start),
      to_end: () => {
        pause();
        seek(end);
      },
    };
  }

  /** The bar below the canvas. */
  function make_controls(state, film, player) {
    const { element, format } = carom;
    const decimals = Math.max(2, format.decimals_for(film.dt));
    const button = (name, label, action, more = {}) =>
      element(
        'button',
        { type: 'button', class: 'round', 'aria-label': label, title: label, onclick: action, ...more },
        icon(name),
      );

    const play = button('play', 'Play', player.toggle, { id: 'play', class: 'round primary' });
    const slider = element('input', {
      type: 'range',
      id: 'scrub',
      min: film.start,
      max: film.end,
      step: 'any',
      'aria-label': 'Time',
      oninput: () => {
        player.pause();
        player.seek(Number(slider.value));
      },
    });
    slider.value = state.time;
    const rug = element('canvas', { class: 'rug', 'aria-hidden': 'true' });
    const clock = element('output', { id: 'clock', 'aria-live': 'off' });
    const speed = element(
      'select',
      { id: 'speed', 'aria-label': 'Speed', onchange: () => state.set({ speed: Number(speed.value) }) },
      speeds.map((factor) => element('option', { value: factor }, factor + '×')),
    );
    const has_impacts = film.movers.some(({ run }) => run.impacts.t.length > 0);

    function show_time() {
      slider.value = state.time;
      clock.textContent = 't = ' + format.time(state.time, decimals);
      slider.setAttribute('aria-valuetext', `t = ${format.spoken(state.time)} of ${format.spoken(film.end)}`);
    }

    function show_playing() {
      play.replaceChildren(icon(state.playing ? 'pause' : 'play'));
      play.setAttribute('aria-label', state.playing ? 'Pause' : 'Play');
      play.title = (state.playing ? 'Pause' : 'Play') + ' (space)';
    }

    state.on('time', show_time);
    state.on('playing', show_playing);
    state.on('speed', () => (speed.value = state.speed));
    show_time();
    show_playing();
    speed.value = state.speed;
    carom.watch_width(rug, () => paint_rug(rug, film, state));
    for (const name of ['visible', 'theme']) state.on(name, () => paint_rug(rug, film, state));

    return element(
      'div',
      { class: 'controls' },
      element('div', { class: 'scrubber' }, slider, rug),
      element(
        'div',
        { class: 'buttons' },
        play,
        button('start', 'To the start (Home)', player.to_start),
        button('back', 'One frame back (←)', () => player.step(-1)),
        button('forward', 'One frame on (→)', () => player.step(1)),
        has_impacts
          ? button('impact', 'To the next impact (n)', () => player.to_impact(1), { id: 'next-impact' })
          : null,
        clock,
        element('span', { class: 'speed' }, speed),
        element(
          'button',
          { type: 'button', class: 'round', id: 'show-keys', 'aria-label': 'Keys', title: 'Keys (?)' },
          '?',
        ),
      ),
    );
  }

  /** Ticks below the slider where there are impacts. */
  function paint_rug(rug, film, state) {
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [rug.clientWidth, rug.clientHeight];
    rug.width = Math.round(width * ratio);
    rug.height = Math.round(height * ratio);
    const ctx = rug.getContext('2d');
    ctx.scale(ratio, ratio);
    const thumb = 20;
    for (const { run } of film.movers) {
      if (!state.visible[run.index]) continue;
      const inside = run.impacts.t.filter((t) => t >= film.start && t <= film.end);
      ctx.fillStyle = carom.faded(
        carom.run_colour(run.index),
        Math.min(0.8, Math.max(0.15, (0.2 * width) / inside.length)),
      );
      for (const t of inside) {
        ctx.fillRect(thumb / 2 + ((t - film.start) / (film.end - film.start)) * (width - thumb), 0, 1, height);
      }
    }
  }

  Object.assign(carom, { make_film, make_player, make_controls, icon });
})((window.carom ??= {}));
