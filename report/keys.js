/** The keyboard. Keys that scroll a page belong to the animation only while it is in view. */
(function (carom) {
  'use strict';

  const key_list = [
    ['space', 'play or pause'],
    ['← →', 'one frame back or on'],
    ['shift + ← →', 'ten frames back or on'],
    ['Home, End', 'first or last frame'],
    ['n, p', 'next or previous impact, or beginning or release of a contact'],
    ['− +', 'slower or faster (also , and .)'],
    ['?', 'this list'],
  ];

  /** A dialog that lists the keys. */
  function make_key_dialog(more) {
    const { element } = carom;
    const rows = [...key_list.slice(0, -1), ...more, ...key_list.slice(-1)].map(([keys, what]) =>
      element('tr', {}, element('th', { scope: 'row' }, element('kbd', {}, keys)), element('td', {}, what)),
    );
    const dialog = element(
      'dialog',
      { id: 'keys', 'aria-label': 'Keys' },
      element('h2', {}, 'Keys'),
      element('table', {}, element('tbody', {}, rows)),
      element('form', { method: 'dialog' }, element('button', {}, 'Close')),
    );
    dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
    return dialog;
  }

  /** True where a key already has a meaning: in fields, and for space on buttons. */
  function is_taken(event) {
    const at = event.target;
    if (at.closest('dialog[open]')) return true;
    if (at.matches('input[type=range]')) return event.key === 'PageUp' || event.key === 'PageDown';
    if (at.matches('input, select, textarea, pre')) return true;
    return event.key === ' ' && at.matches('button, summary, a');
  }

  /** @param {{list: string[][], actions: object}} more keys of the stage's own */
  function start_keys(player, stage, more = { list: [], actions: {} }) {
    const dialog = make_key_dialog(more.list);
    document.body.append(dialog);
    document.getElementById('show-keys').addEventListener('click', () => dialog.showModal());

    let in_view = true;
    new IntersectionObserver(([entry]) => (in_view = entry.isIntersecting)).observe(stage);

    const scrolling = {
      ' ': () => player.toggle(),
      ArrowLeft: (event) => player.step(event.shiftKey ? -10 : -1),
      ArrowRight: (event) => player.step(event.shiftKey ? 10 : 1),
      Home: () => {
        player.pause();
        player.to_start();
      },
      End: () => player.to_end(),
    };
    const others = {
      n: () => player.to_event(1),
      p: () => player.to_event(-1),
      '+': () => player.change_speed(1),
      '=': () => player.change_speed(1),
      '.': () => player.change_speed(1),
      '-': () => player.change_speed(-1),
      ',': () => player.change_speed(-1),
      '?': () => dialog.showModal(),
      ...more.actions,
    };

    document.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || is_taken(event)) return;
      const action =
        others[event.key] ?? (in_view || event.target.matches('#scrub') ? scrolling[event.key] : undefined);
      if (!action) return;
      event.preventDefault();
      action(event);
    });
  }

  Object.assign(carom, { start_keys });
})((window.carom ??= {}));
