/**
 * The drawing of a system: JavaScript expressions in q and t, compiled once. A part that does not compile, or that
 * names a point that is not there, is left out and complained about; the others still show.
 */
(function (carom) {
  'use strict';

  /** A function of the named arguments. Throws SyntaxError. */
  function compile(expression, ...names) {
    return new Function(...names, `"use strict"; return (${expression});`);
  }

  /**
   * @param {object} drawing as in the contract
   * @returns {object} `at(q, t)` gives points by name; `parts` is what to draw through them, `trails` which of them
   *   leave one, `drawn` those with a solid or at the end of a rod; `walls` do not move; `view` may be null;
   *   `complaints` says what was left out
   */
  function make_scene(drawing) {
    const complaints = [];

    /** What `make` gives for each entry, without those it throws for. */
    function each(kind, entries, make) {
      const made = [];
      for (const entry of entries ?? []) {
        try {
          made.push(make(entry));
        } catch (error) {
          complaints.push(`${kind} ${JSON.stringify(entry)}: ${error.message}`);
        }
      }
      return made;
    }

    const moves = ([x, y]) => /\b[qt]\b/.test(`${x} ${y}`);
    const formulas = new Map(
      each('point', Object.entries(drawing.points ?? {}), ([name, [x, y]]) => [
        name,
        [compile(x, 'q', 't'), compile(y, 'q', 't')],
      ]),
    );

    function known(name) {
      if (!formulas.has(name)) throw new Error(`there is no point called ${name}`);
      return name;
    }

    const lines = each('line', drawing.lines, (names) => names.map(known));
    const is_fixed = (names) => names.every((name) => !moves(drawing.points[name]));
    const { body_at, body_of } = make_bodies(is_fixed);
    const parts = {
      polygons: each('polygon', drawing.polygons, (names) => ({ body: body_of(names.map(known)), names })),
      boxes: each('box', drawing.boxes, ([name, width, height]) => ({
        centre: known(name),
        body: body_at(name),
        width: compile(width, 'q', 't'),
        height: compile(height, 'q', 't'),
      })),
      circles: each('circle', drawing.circles, ([name, radius, angle]) => ({
        centre: known(name),
        body: body_at(name),
        radius: compile(radius, 'q', 't'),
        angle: angle === undefined ? null : compile(angle, 'q', 't'),
      })),
    };
    // A rod belongs to the body at its far end, or at its near one, or is one by itself.
    parts.lines = lines
      .flatMap((names) => names.slice(1).map((name, i) => [names[i], name]))
      .filter((ends) => !is_fixed(ends))
      .map(([near, far]) => ({
        names: [near, far],
        body: body_at.known(far) ?? body_at.known(near) ?? body_of([near, far]),
      }));
    const walls = {
      rails: lines.filter(is_fixed).map((names) => names.map((name) => formulas.get(name).map((value) => value()))),
      ground: each('ground', drawing.ground, (ends) => ends.map((x) => finite(compile(x)()))),
      curves: each('curve', drawing.curves, ([x, y, from, to]) => sampled_curve(x, y, from, to)),
    };

    function at(q, t) {
      const points = new Map();
      for (const [name, [x, y]] of formulas) points.set(name, evaluate(name, x, y, q, t));
      return points;
    }

    const broken = new Set();
    function evaluate(name, x, y, q, t) {
      try {
        return [x(q, t), y(q, t)];
      } catch (error) {
        if (!broken.has(name)) complaints.push(`point ${name}: ${error.message}`);
        broken.add(name);
        return [NaN, NaN];
      }
    }

    const solid = [...parts.circles, ...parts.boxes]
      .map((part) => part.centre)
      .concat(parts.polygons.flatMap(({ names }) => names));
    const trails = each('trail', drawing.trails, (name) => ({ point: known(name), body: body_at.known(name) ?? 0 }));
    const view = drawing.view?.length === 4 && drawing.view.every(Number.isFinite) ? drawing.view : null;
    const seen = solid.concat(parts.lines.flatMap(({ names }) => names));
    const drawn = [...new Set(seen.length ? seen : formulas.keys())];
    return { view, complaints, parts, walls, trails, drawn, at };
  }

  /** Numbers for bodies, by which they have their colours: one for each solid that moves, null for those that do not. */
  function make_bodies(is_fixed) {
    const numbers = new Map();
    let next = 0;
    const body_of = (names) => (is_fixed(names) ? null : next++);
    function body_at(name) {
      if (!numbers.has(name)) numbers.set(name, body_of([name]));
      return numbers.get(name);
    }
    body_at.known = (name) => numbers.get(name);
    return { body_at, body_of };
  }

  function finite(x) {
    if (!Number.isFinite(x)) throw new Error(`${x} is not a finite number`);
    return x;
  }

  /** Points along a curved wall. */
  function sampled_curve(x, y, from, to) {
    const pieces = 360;
    const [start, end] = [finite(compile(from)()), finite(compile(to)())];
    const [x_at, y_at] = [compile(x, 's'), compile(y, 's')];
    return Array.from({ length: pieces + 1 }, (_, i) => {
      const s = start + ((end - start) * i) / pieces;
      return [x_at(s), y_at(s)];
    });
  }

  /** A view that holds every point of the motion and every wall. */
  function fitted_view(scene, motions) {
    const seen = scene.walls.curves.flat();
    for (const [x1, y1, x2, y2] of scene.walls.ground) seen.push([x1, y1], [x2, y2]);
    for (const motion of motions) {
      for (let i = 0; i <= 200; ++i) {
        const t = motion.start + ((motion.end - motion.start) * i) / 200;
        seen.push(...scene.at(motion.at(t), t).values());
      }
    }
    const good = seen.filter((point) => point.every(Number.isFinite));
    if (good.length === 0) return [-1, 1, -1, 1];
    const [xs, ys] = [good.map((p) => p[0]), good.map((p) => p[1])];
    const box = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const margin = 0.08 * Math.max(box[1] - box[0], box[3] - box[2], 1e-9);
    return [box[0] - margin, box[1] + margin, box[2] - margin, box[3] + margin];
  }

  Object.assign(carom, { make_scene, fitted_view });
})((window.carom ??= {}));
