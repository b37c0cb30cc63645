/** Which part of a y axis to show. Each rule is a function for uPlot: (u, smallest, largest) => [low, high]. */
(function (carom) {
  'use strict';

  const { is_number } = carom.format;
  const margin = 0.08;
  /** Below this part of the scale a number is rounding, and is shown as a flat line. */
  const rounding = 1e-12;

  function widened(low, high) {
    const room = margin * (high - low);
    return [low - room, high + room];
  }

  /** Values around anything; a constant gets room in proportion to its size. */
  function plain_range(u, low, high) {
    if (!is_number(low) || !is_number(high)) return [-1, 1];
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (high - low <= 1e-9 * size) return [low - (0.1 * size || 1), high + (0.1 * size || 1)];
    return widened(low, high);
  }

  /** Values that have a meaning of zero: gaps, impulses, work. */
  function range_with_zero(u, low, high) {
    if (!is_number(low) || !is_number(high)) return [-1, 1];
    return plain_range(u, Math.min(0, low), Math.max(0, high));
  }

  /** Errors of something of size `scale`: zero is in, and rounding is not blown up. */
  function error_range(scale) {
    return (u, low, high) => {
      const size = is_number(low) && is_number(high) ? Math.max(Math.abs(low), Math.abs(high)) : 0;
      if (size < rounding * scale) return [-5 * rounding * scale, 5 * rounding * scale];
      return widened(Math.min(0, low), Math.max(0, high));
    };
  }

  /** The absolute values of what is seen of a plot's lines, without zeros, in order. */
  function seen_magnitudes(u, columns) {
    const min = u.scales.x.min ?? -Infinity; // not set yet when uPlot asks for the first time
    const max = u.scales.x.max ?? Infinity;
    const x = u.data[0];
    const seen = [];
    for (const column of columns) {
      if (!u.series[column].show) continue;
      const y = u.data[column];
      for (let i = 0; i < x.length; ++i) if (x[i] >= min && x[i] <= max && y[i] > 0) seen.push(y[i]);
    }
    return seen.sort((a, b) => a - b);
  }

  /**
   * Whole decades around |errors|. Where an error crosses zero its logarithm dives without end: the lowest
   * hundredth of the values does not count.
   */
  function log_error_range(scale, columns) {
    return (u, low, high) => {
      const seen = seen_magnitudes(u, columns);
      if (seen.length === 0) return [1e-16 * scale, 1e-12 * scale].map(decade_below);
      const largest = Math.max(seen[seen.length - 1], is_number(high) ? high : 0);
      const lowest = Math.max(seen[Math.floor(seen.length / 100)], largest * 1e-12);
      if (largest < rounding * scale) return [decade_below(1e-16 * scale), decade_below(1e-10 * scale)];
      const bottom = decade_below(lowest * (1 + 1e-9));
      return [bottom, Math.max(10 * bottom, 10 * decade_below(largest * (1 - 1e-9)))];
    };
  }

  function decade_below(x) {
    return 10 ** Math.floor(Math.log10(x));
  }

  Object.assign(carom, {
    plain_range,
    range_with_zero,
    error_range,
    log_error_range,
    decade_below,
    rounding_level: rounding,
  });
})((window.carom ??= {}));
