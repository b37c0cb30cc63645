/**
 * Coordinates at any time, from samples on an even grid. Between two samples: the cubic through four. An impact
 * between two samples makes a kink; there the smooth parts on both sides are carried on (parabola through three
 * samples each) until they meet at the impact, so that a ball seen in slow motion does touch its floor.
 */
(function (carom) {
  'use strict';

  /** For each stretch between samples: undefined (smooth), the impact's place in it (0 to 1), or NaN for several. */
  function find_kinks(motion, impact_times) {
    const kinks = new Map();
    for (const t of impact_times) {
      const place = (t - motion.t0) / motion.dt;
      const k = Math.floor(place);
      if (k < 0 || k >= motion.count - 1) continue;
      kinks.set(k, kinks.has(k) ? NaN : place - k);
    }
    return kinks;
  }

  /** The parabola through y0 and the two samples before (direction -1) or after (+1) it, at distance s. */
  function carried_on(y0, y1, y2, s) {
    const back_slope = (3 * y0 - 4 * y1 + y2) / 2;
    return y0 + s * back_slope + (s * s * (y0 - 2 * y1 + y2)) / 2;
  }

  /** Hermite's cubic from y0 to y1 with slopes d0 and d1. */
  function cubic(y0, y1, d0, d1, s) {
    const r = 1 - s;
    return r * r * ((1 + 2 * s) * y0 + s * d0) + s * s * ((1 + 2 * r) * y1 - r * d1);
  }

  /**
   * @param {{t0: number, dt: number, count: number, values: Float64Array[]}} motion
   * @param {number[]} impact_times
   * @returns {{start: number, end: number, dt: number, kinks: number[], at: (t: number) => number[]}}
   */
  function make_motion(motion, impact_times) {
    const { t0, dt, count, values } = motion;
    const kinks = find_kinks(motion, impact_times);
    const smooth = (k) => k >= 0 && k < count - 1 && !kinks.has(k);

    function between(y, k, s) {
      const rise = y[k + 1] - y[k];
      const d0 = smooth(k - 1) ? (y[k + 1] - y[k - 1]) / 2 : null;
      const d1 = smooth(k + 1) ? (y[k + 2] - y[k]) / 2 : null;
      return cubic(y[k], y[k + 1], d0 ?? 2 * rise - (d1 ?? rise), d1 ?? 2 * rise - (d0 ?? rise), s);
    }

    function through_kink(y, k, s, kink) {
      const straight = (1 - s) * y[k] + s * y[k + 1];
      if (!(kink > 0 && kink < 1) || !smooth(k - 1) || !smooth(k - 2) || !smooth(k + 1) || !smooth(k + 2))
        return straight;
      const before = (x) => carried_on(y[k], y[k - 1], y[k - 2], x);
      const after = (x) => carried_on(y[k + 1], y[k + 2], y[k + 3], 1 - x);
      const meeting = (1 - kink) * before(kink) + kink * after(kink);
      const travelled = Math.abs(y[k] - y[k - 1]) + Math.abs(y[k + 1] - y[k]) + Math.abs(y[k + 2] - y[k + 1]);
      if (Math.abs(before(kink) - after(kink)) > 0.5 * travelled) return straight;
      return s < kink
        ? before(s) + (s / kink) * (meeting - before(kink))
        : after(s) + ((1 - s) / (1 - kink)) * (meeting - after(kink));
    }

    function at(t) {
      const place = Math.min(Math.max((t - t0) / dt, 0), count - 1);
      const k = Math.min(Math.floor(place), Math.max(0, count - 2));
      const s = place - k;
      if (s === 0) return values.map((y) => y[k]);
      const kink = kinks.get(k);
      return values.map((y) => (kink === undefined ? between(y, k, s) : through_kink(y, k, s, kink)));
    }

    return { start: t0, end: t0 + (count - 1) * dt, dt, kinks: impact_times, at };
  }

  /** The last index i with values[i] <= x, or -1. The values rise. */
  function last_before(values, x) {
    let low = 0,
      high = values.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle] <= x) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  Object.assign(carom, { make_motion, last_before });
})((window.carom ??= {}));
