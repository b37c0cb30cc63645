/** Reads a scene in space (README.md, `space`): bodies with their parts, where their poses come from, what joins them. */
(function (carom) {
  'use strict';

  const { is_number } = carom.format;
  const list = (value) => (Array.isArray(value) ? value : []);
  const kinds = ['ball', 'ellipsoid', 'box', 'capsule', 'cylinder', 'polyhedron', 'half-space'];

  /** So many finite numbers, or the default. */
  function vector(value, otherwise) {
    const numbers = list(value).slice(0, otherwise.length);
    return numbers.length === otherwise.length && numbers.every(is_number) ? numbers : otherwise;
  }

  function normalised(v, otherwise) {
    const length = Math.hypot(...v);
    return length > 0 ? v.map((x) => x / length) : otherwise;
  }

  function read_part(part) {
    const kind = kinds.find((name) => part[name] !== undefined);
    if (!kind) throw new Error(`a part with ${Object.keys(part).join(', ') || 'nothing'} has no shape that is known`);
    return {
      kind,
      shape: part[kind],
      at: vector(part.at, [0, 0, 0]),
      turn: normalised(vector(part.turn, [1, 0, 0, 0]), [1, 0, 0, 0]),
    };
  }

  /** What the sign of a quaternion is says nothing: one that jumps would be a turn between two frames. */
  function join_signs(values, columns) {
    const turns = columns.slice(3).map((k) => values[k]);
    for (let n = 1; n < turns[0].length; ++n) {
      const dot = turns.reduce((sum, q) => sum + q[n] * q[n - 1], 0);
      if (dot < 0) for (const q of turns) q[n] = -q[n];
    }
  }

  function read_path(path, decode) {
    const motion = decode(path);
    if (!motion || motion.values.length !== 7) return null;
    join_signs(motion.values, [0, 1, 2, 3, 4, 5, 6]);
    return carom.make_motion(motion, []);
  }

  function read_body(body, runs, decode) {
    const columns = list(body.columns);
    const moves = columns.length === 7;
    if (moves) {
      for (const { motion } of runs) {
        if (!motion) continue;
        if (columns.some((k) => motion.values[k] === undefined))
          throw new Error(`body ${body.name}: the motion has no column ${columns.join(', ')}`);
        join_signs(motion.values, columns);
      }
    }
    return {
      name: String(body.name ?? ''),
      colour: is_number(body.colour) ? body.colour : null,
      parts: list(body.parts).map(read_part),
      columns: moves ? columns : null,
      path: read_path(body.path, decode),
      pose: vector(body.pose, [0, 0, 0, 1, 0, 0, 0]),
    };
  }

  function read_link(link, bodies) {
    const end = (body, at) => ({ body: bodies[body] ? body : null, at: vector(at, [0, 0, 0]) });
    return { from: end(link.a, link.at_a), to: end(link.b, link.at_b), spring: link.spring === true };
  }

  /**
   * @param {object} raw
   * @param {object[]} runs that were read; their motions may change the signs of quaternions
   * @param {function(object): ?object} decode of a motion
   */
  function read_space(raw, runs, decode) {
    const bodies = list(raw.bodies).map((body) => read_body(body, runs, decode));
    const trails = list(raw.trails)
      .filter(([body]) => bodies[body])
      .map(([body, ...at]) => ({ body, at: vector(at, [0, 0, 0]) }));
    return {
      up: normalised(vector(raw.up, [0, 0, 1]), [0, 0, 1]),
      bodies,
      links: list(raw.links).map((link) => read_link(link, bodies)),
      trails: raw.trails ? trails : null,
    };
  }

  Object.assign(carom, { read_space });
})((window.carom ??= {}));
