/** The numbers of a sweep: arrays over its axes, decoded, and how a place along each axis is found in them. */
(function (carom) {
  'use strict';

  const list = (value) => (Array.isArray(value) ? value : []);

  /** The numbers behind a base64 text of little-endian 32-bit floats. */
  function decode_floats(base64) {
    const bytes = Uint8Array.from(atob(base64 ?? ''), (letter) => letter.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    const numbers = new Float32Array(Math.floor(bytes.length / 4));
    for (let i = 0; i < numbers.length; ++i) numbers[i] = view.getFloat32(4 * i, true);
    return numbers;
  }

  const alike = (numbers) => numbers.every((x) => Math.abs(x - numbers[0]) <= 1e-6 * Math.abs(numbers[0]));

  /** How an axis is drawn: by its numbers, their logarithms, or one place after the other. */
  function spacing_of(values, words) {
    if (words || values.length < 2) return 'places';
    const steps = values.slice(1).map((x, i) => x - values[i]);
    if (alike(steps) && steps[0] !== 0) return 'linear';
    const ratios = values.every((x) => x > 0) ? values.slice(1).map((x, i) => x / values[i]) : [];
    return ratios.length && alike(ratios) && ratios[0] !== 1 ? 'log' : 'places';
  }

  function read_axis(axis, index) {
    const values = list(axis.values);
    return {
      index,
      key: String(axis.key),
      label: [axis.key, ...list(axis.with)].join(', '),
      values,
      count: axis.count ?? values.length,
      words: Boolean(axis.words),
      stride: axis.stride ?? 1,
      spacing: spacing_of(values, axis.words),
      text: (i) => (axis.words ? String(values[i]) : carom.format.exact(values[i])),
    };
  }

  /**
   * An array over `axes` and then over `inner` numbers.
   * at(place) is the position of the first of them, where place[k] is a position along axis k.
   */
  function read_field(field, axes, inner) {
    const numbers = decode_floats(field.numbers);
    const at = (place) => inner * axes.reduce((sum, axis, k) => sum * axis.values.length + (place[k] ?? 0), 0);
    return { name: String(field.name), numbers, at, histogram: field.histogram ?? null };
  }

  /** null where the report is of something else. */
  function read_sweep(sweep) {
    if (!sweep) return null;
    const axes = list(sweep.axes).map(read_axis);
    const levels = sweep.draws > 0 ? list(sweep.levels).length : 1;
    const series_axes = list(sweep.series?.axes).map(read_axis);
    const times = list(sweep.series?.t);
    return {
      members: sweep.members ?? {},
      failures: list(sweep.failures),
      cost: sweep.cost ?? {},
      axes,
      draws: sweep.draws ?? 0,
      drawn: list(sweep.drawn).map(String),
      levels: list(sweep.levels),
      inner: levels,
      fields: list(sweep.fields).map((field) => read_field(field, axes, levels)),
      series: sweep.series && {
        axes: series_axes,
        t: times,
        fields: list(sweep.series.fields).map((field) =>
          read_field(field, series_axes, times.length * list(sweep.levels).length),
        ),
      },
    };
  }

  Object.assign(carom, { read_sweep });
})((window.carom ??= {}));
