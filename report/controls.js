/** The controls of the animation: buttons, slider, clock, speed. Each shows the state and changes it by the player. */
(function (carom) {
  'use strict';

  const { element, format } = carom;

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

  /** A round button with an icon. */
  function icon_button(name, label, action, more = {}) {
    const attributes = {
      type: 'button',
      class: 'round',
      'aria-label': label,
      title: label,
      onclick: action,
      ...more,
    };
    return element('button', attributes, icon(name));
  }

  /** Play or pause, whichever is the other: with its word, as nothing stands on the canvas to be pressed. */
  function make_play_button(state, player) {
    const button = element('button', { type: 'button', id: 'play', class: 'play', onclick: player.toggle });
    const show = () => {
      const word = state.playing ? 'Pause' : 'Play';
      button.replaceChildren(icon(state.playing ? 'pause' : 'play'), word);
      button.title = word + ' (space)';
    };
    state.on('playing', show);
    show();
    return button;
  }

  function make_slider(state, film, player) {
    const range = { min: film.start, max: film.end, step: 'any' };
    const slider = element('input', { type: 'range', id: 'scrub', 'aria-label': 'Time', ...range });
    slider.addEventListener('input', () => {
      player.pause();
      player.seek(Number(slider.value));
    });
    const show = () => {
      slider.value = state.time;
      slider.setAttribute('aria-valuetext', `t = ${format.spoken(state.time)} of ${format.spoken(film.end)}`);
    };
    state.on('time', show);
    show();
    return slider;
  }

  function make_clock(state, film) {
    const decimals = Math.max(2, format.decimals_for(film.dt));
    const clock = element('output', { id: 'clock', 'aria-live': 'off' });
    const show = () => (clock.textContent = 't = ' + format.time(state.time, decimals));
    state.on('time', show);
    show();
    return clock;
  }

  function make_speed_list(state) {
    const options = carom.speeds.map((factor) => element('option', { value: factor }, factor + '×'));
    const list = element('select', { id: 'speed', 'aria-label': 'Speed' }, options);
    list.addEventListener('change', () => state.set({ speed: Number(list.value) }));
    const show = () => (list.value = state.speed);
    state.on('speed', show);
    show();
    return element('span', { class: 'speed' }, list);
  }

  /** The bar below the canvas. */
  function make_controls(state, film, player) {
    const buttons = [
      make_play_button(state, player),
      icon_button('start', 'To the start (Home)', player.to_start),
      icon_button('back', 'One frame back (←)', () => player.step(-1)),
      icon_button('forward', 'One frame on (→)', () => player.step(1)),
    ];
    const lasting = film.movers.some(({ run }) => run.contacts.spans.length > 0);
    if (lasting || film.movers.some(({ run }) => run.impacts.t.length > 0)) {
      const label = lasting ? 'To the next impact or change of contact (n)' : 'To the next impact (n)';
      buttons.push(icon_button('impact', label, () => player.to_event(1), { id: 'next-event' }));
    }
    const help = { type: 'button', class: 'round', id: 'show-keys', 'aria-label': 'Keys', title: 'Keys (?)' };
    buttons.push(make_clock(state, film), make_speed_list(state), element('button', help, '?'));
    return element(
      'div',
      { class: 'controls' },
      element('div', { class: 'scrubber' }, make_slider(state, film, player), carom.make_rug(film, state)),
      element('div', { class: 'buttons' }, buttons),
    );
  }

  Object.assign(carom, { make_controls, icon });
})((window.carom ??= {}));
