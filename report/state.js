/** What the whole page shares: the time shown, whether it plays, which runs are shown, the zoom, the theme. */
(function (carom) {
  'use strict';

  /**
   * A record of values that tells its listeners what changed.
   * @param {object} values
   */
  function make_state(values) {
    const listeners = new Map();
    return {
      ...values,
      /** Calls `listener` whenever the value called `name` is set. */
      on(name, listener) {
        if (!listeners.has(name)) listeners.set(name, []);
        listeners.get(name).push(listener);
      },
      /** Sets some values, then tells. */
      set(changes) {
        Object.assign(this, changes);
        for (const name of Object.keys(changes)) {
          for (const listener of listeners.get(name) ?? []) listener(this[name]);
        }
      },
    };
  }

  Object.assign(carom, { make_state });
})((window.carom ??= {}));
