/** Colours, light and dark. They live in style.css as custom properties; drawings ask for them here by name. */
(function (carom) {
  'use strict';

  const run_colours = 8;
  let cached = new Map();

  /** The value of the custom property `--name`. */
  function colour(name) {
    if (!cached.has(name)) {
      cached.set(
        name,
        getComputedStyle(document.documentElement)
          .getPropertyValue('--' + name)
          .trim(),
      );
    }
    return cached.get(name);
  }

  /** The colour of run or component `index`, as a custom property's name. */
  function run_colour(index) {
    return 'run-' + (index % run_colours);
  }

  const body_colours = ['run-0', 'run-1', 'run-2', 'run-3', 'run-4', 'body-5', 'body-6', 'body-7'];

  /** The colour of a body of the drawing; what does not move has that of rods. */
  function body_colour(body) {
    return body === null ? 'rod' : body_colours[body % body_colours.length];
  }

  /** The same colour, but to see through. */
  function faded(name, alpha) {
    const hex = colour(name).replace('#', '');
    const [r, g, b] = [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
    return `rgba(${r}, ${g}, ${b}, ${alpha})`;
  }

  /** Runs from the fifth on are dashed too, so that colour is not all that tells them apart. */
  function run_dash(index) {
    return index % run_colours < 4 ? [] : [7, 3];
  }

  /** Shows `theme` ("light" or "dark") and tells the rest of the page. */
  function show_theme(state, theme) {
    document.documentElement.dataset.theme = theme;
    cached = new Map();
    state.set({ theme });
  }

  /** Follows the system's setting until somebody presses the button; prints in light colours. */
  function start_theme(state, button) {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    let chosen = null;
    const wanted = () => chosen ?? (dark.matches ? 'dark' : 'light');
    const update = () => show_theme(state, wanted());
    dark.addEventListener('change', update);
    button.addEventListener('click', () => {
      chosen = state.theme === 'dark' ? 'light' : 'dark';
      update();
    });
    state.on('theme', (theme) => {
      button.setAttribute('aria-pressed', String(theme === 'dark'));
      button.textContent = theme === 'dark' ? 'Light' : 'Dark';
      button.title = theme === 'dark' ? 'Show in light colours' : 'Show in dark colours';
    });
    addEventListener('beforeprint', () => show_theme(state, 'light'));
    addEventListener('afterprint', update);
    update();
  }

  Object.assign(carom, { colour, run_colour, body_colour, faded, run_dash, start_theme });
})((window.carom ??= {}));
