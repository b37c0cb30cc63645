/**
 * Where to look. Usually at the whole view; but a motion that leaves for far away would be a dot in it, so there the
 * view becomes a window that goes along with the bodies.
 */
(function (carom) {
  'use strict';

  const longest = 4;
  const samples = 300;

  const length = ([low, high]) => (high > low ? high - low : 0);

  /** Smallest and largest coordinate of the bodies along one axis (0 is x). */
  function reach(points, bodies, axis) {
    const values = bodies.map((name) => points.get(name)[axis]).filter(Number.isFinite);
    return [Math.min(...values), Math.max(...values)];
  }

  /** Over all motions and along each axis: how far the drawn points get, and how far apart they are at one time. */
  function survey(scene, motions) {
    const whole = [0, 1].map(() => [Infinity, -Infinity]);
    const group = [0, 0];
    for (const motion of motions) {
      for (let i = 0; i <= samples; ++i) {
        const t = motion.start + ((motion.end - motion.start) * i) / samples;
        const points = scene.at(motion.at(t), t);
        for (const axis of [0, 1]) {
          const [low, high] = reach(points, scene.drawn, axis);
          whole[axis] = [Math.min(whole[axis][0], low), Math.max(whole[axis][1], high)];
          group[axis] = Math.max(group[axis], length([low, high]));
        }
      }
    }
    return { whole, group };
  }

  /** A window of half-width `half` along `axis` around the bodies, `across` fixed along the other. */
  function following(scene, axis, half, across) {
    const window = (middle) =>
      axis === 0 ? [middle - half, middle + half, ...across] : [...across, middle - half, middle + half];
    const at = (q, t) => {
      const [low, high] = reach(scene.at(q, t), scene.drawn, axis);
      return window(Number.isFinite(low + high) ? (low + high) / 2 : 0);
    };
    return { view: window(0), follows: true, at };
  }

  /**
   * @param {object} scene
   * @param {number[]} view left, right, bottom, top
   * @param {object[]} motions
   * @returns {{view: number[], follows: boolean, at: function(number[], number): number[]}} a view for its shape,
   *   and the one to look at when the system is at q
   */
  function make_camera(scene, view, motions) {
    const { whole, group } = survey(scene, motions);
    for (const axis of [0, 1]) {
      const [far, near] = [length(whole[axis]), length(whole[1 - axis])];
      const seen = view[2 * axis + 1] - view[2 * axis];
      const size = Math.max(near, ...group); // none for a point on a line, which is best seen whole
      if (size === 0 || far <= longest * size || seen < 0.9 * far) continue;
      const [low, high] = whole[1 - axis];
      const margin = 0.12 * size + (size - near) / 2;
      return following(scene, axis, (axis === 0 ? 1 : 0.6) * size, [low - margin, high + margin]);
    }
    return { view, follows: false, at: () => view };
  }

  Object.assign(carom, { make_camera });
})((window.carom ??= {}));
