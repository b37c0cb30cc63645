/** Making elements. Text goes in as text only, never as markup: names and titles come from users. */
(function (carom) {
  'use strict';

  /**
   * An element with attributes and children. An attribute whose name starts with "on" is a listener;
   * one that is null, undefined or false is left out. Children are nodes or strings; null is skipped.
   */
  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
      else made.setAttribute(name, value === true ? '' : String(value));
    }
    made.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return made;
  }

  /** Text that only screen readers get. */
  function unseen(text) {
    return element('span', { class: 'unseen' }, text);
  }

  let choices = 0;

  /** Radio buttons that look like one bar. */
  function bar_of_choices(name, options, chosen, on_choice) {
    const group = 'choice-' + choices++;
    const bar = element('fieldset', { class: 'choice' }, element('legend', { class: 'unseen' }, name));
    options.forEach(({ value, label }) => {
      const input = element('input', { type: 'radio', name: group, value, onchange: () => on_choice(value) });
      input.checked = value === chosen;
      bar.append(element('label', {}, input, element('span', {}, label)));
    });
    return bar;
  }

  /** A drop-down list. */
  function list_of_choices(name, options, chosen, on_choice) {
    const select = element('select', { 'aria-label': name, onchange: () => on_choice(select.value) });
    for (const { value, label } of options) select.append(element('option', { value }, label));
    select.value = chosen;
    return select;
  }

  /**
   * One of several options: a bar while it is short, a drop-down list otherwise.
   * @param {string} name what is chosen
   * @param {{value: string, label: string}[]} options
   * @param {string} chosen
   * @param {(value: string) => void} on_choice
   */
  function choice(name, options, chosen, on_choice) {
    const width = options.reduce((sum, { label }) => sum + 25 + 7.2 * label.length, 0);
    const make = width <= 310 ? bar_of_choices : list_of_choices;
    return make(name, options, chosen, on_choice);
  }

  const watchers = [];

  /** Calls `on_size` with the width of the content, now and whenever it changes. */
  function watch_width(host, on_size) {
    let last = -1;
    const look = () => {
      const width = Math.floor(host.clientWidth);
      if (width > 0 && width !== last) on_size((last = width));
    };
    look();
    new ResizeObserver(look).observe(host);
    watchers.push(look);
  }

  /** A printed page is as wide as paper is: drawings are made anew for it, before the browser takes its picture. */
  function start_printing() {
    const fit = (printing) => () => {
      document.documentElement.classList.toggle('printing', printing);
      watchers.forEach((look) => look());
    };
    addEventListener('beforeprint', fit(true));
    addEventListener('afterprint', fit(false));
  }

  Object.assign(carom, { element, unseen, choice, watch_width, start_printing });
})((window.carom ??= {}));
