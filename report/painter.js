/** Puts a scene on a canvas: walls, bodies, trails and the marks of impacts. Lengths in CSS pixels. */
(function (carom) {
  'use strict';

  const full_turn = 2 * Math.PI;
  const most_rings = 12;
  const still = matchMedia('(prefers-reduced-motion: reduce)');

  /** World to canvas with the same scale on both axes; y points up. */
  function make_lens([left, right, bottom, top], width, height) {
    const scale = Math.min(width / (right - left), height / (top - bottom));
    const [x0, y0] = [width / 2 - (scale * (left + right)) / 2, height / 2 + (scale * (bottom + top)) / 2];
    return { scale, size: [width, height], to: ([x, y]) => [x0 + scale * x, y0 - scale * y] };
  }

  const drawable = (point) => Number.isFinite(point[0]) && Number.isFinite(point[1]);

  /** Starts a path through canvas points; false when one of them is nowhere. */
  function trace(ctx, points) {
    if (points.length === 0 || !points.every(drawable)) return false;
    ctx.beginPath();
    points.forEach(([x, y], i) => (i === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y)));
    return true;
  }

  /** From where to where along a line (from a, in direction u, of this length) it is inside the canvas, or nearly. */
  function visible_part([ax, ay], [ux, uy], length, [width, height]) {
    const margin = 20;
    let [from, to] = [0, length];
    for (const [start, slope, size] of [
      [ax, ux, width],
      [ay, uy, height],
    ]) {
      const ends = [(-margin - start) / slope, (size + margin - start) / slope];
      if (slope !== 0) [from, to] = [Math.max(from, Math.min(...ends)), Math.min(to, Math.max(...ends))];
      else if (start < -margin || start > size + margin) return [0, 0];
    }
    return [from, to];
  }

  /** A wall from a to b, hatched on the right-hand side of somebody who walks from a to b. */
  function paint_ground(ctx, [ax, ay], [bx, by], size) {
    const length = Math.hypot(bx - ax, by - ay);
    if (!(length > 0)) return;
    const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
    const [from, to] = visible_part([ax, ay], [ux, uy], length, size);
    if (!(to > from)) return;
    const [nx, ny] = [-uy, ux];
    const gap = 9,
      depth = 8;
    ctx.save();
    ctx.lineCap = 'round';
    ctx.lineWidth = 1;
    ctx.strokeStyle = carom.colour('faint');
    ctx.beginPath();
    for (let s = (Math.ceil(from / gap - 0.5) + 0.5) * gap; s <= to; s += gap) {
      const [x, y] = [ax + s * ux, ay + s * uy];
      ctx.moveTo(x, y);
      ctx.lineTo(x - depth * 0.8 * ux + depth * nx, y - depth * 0.8 * uy + depth * ny);
    }
    ctx.stroke();
    ctx.lineWidth = 1.75;
    ctx.strokeStyle = carom.colour('wall');
    ctx.beginPath();
    ctx.moveTo(ax + from * ux, ay + from * uy);
    ctx.lineTo(ax + to * ux, ay + to * uy);
    ctx.stroke();
    ctx.restore();
  }

  function paint_walls(ctx, lens, walls) {
    for (const [x1, y1, x2, y2] of walls.ground) paint_ground(ctx, lens.to([x1, y1]), lens.to([x2, y2]), lens.size);
    ctx.lineWidth = 1.75;
    ctx.lineJoin = 'round';
    ctx.strokeStyle = carom.colour('wall');
    for (const curve of [...walls.curves, ...walls.rails]) {
      if (trace(ctx, curve.map(lens.to))) ctx.stroke();
    }
  }

  /**
   * The bodies of one run.
   * @param {function(?number): string} colour_of the name of a body's colour
   */
  function paint_bodies(ctx, lens, scene, q, t, colour_of) {
    const points = scene.at(q, t);
    const place = (name) => lens.to(points.get(name));
    ctx.lineJoin = ctx.lineCap = 'round';
    for (const { names, body } of scene.parts.polygons) {
      if (!trace(ctx, names.map(place))) continue;
      ctx.closePath();
      fill_and_edge(ctx, colour_of(body));
    }
    ctx.lineWidth = 2.5;
    for (const { names, body } of scene.parts.lines) {
      ctx.strokeStyle = carom.colour(colour_of(body));
      if (trace(ctx, names.map(place))) ctx.stroke();
    }
    for (const { centre, body, width, height } of scene.parts.boxes) {
      const [x, y] = place(centre);
      const [w, h] = [lens.scale * width(q, t), lens.scale * height(q, t)];
      if (!drawable([x + w, y + h])) continue;
      ctx.beginPath();
      ctx.roundRect(x - w / 2, y - h / 2, w, h, Math.min(4, Math.abs(w) / 4, Math.abs(h) / 4));
      fill_and_edge(ctx, colour_of(body));
    }
    for (const { centre, body, radius, angle } of scene.parts.circles) {
      const [x, y] = place(centre);
      const r = Math.max(2.5, lens.scale * radius(q, t));
      if (!drawable([x, y + r])) continue;
      ctx.beginPath();
      ctx.arc(x, y, r, 0, full_turn);
      fill_and_edge(ctx, colour_of(body));
      if (angle !== null && r > 4) paint_spoke(ctx, [x, y], 0.8 * r, angle(q, t));
    }
  }

  /** From the middle of a disc towards its rim, so that one sees it turn. */
  function paint_spoke(ctx, [x, y], length, angle) {
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x + length * Math.cos(angle), y - length * Math.sin(angle));
    ctx.strokeStyle = carom.colour('paper');
    ctx.lineWidth = 1.75;
    ctx.stroke();
  }

  function fill_and_edge(ctx, colour_name) {
    ctx.fillStyle = carom.colour(colour_name);
    ctx.fill();
    ctx.strokeStyle = carom.colour('paper');
    ctx.lineWidth = 1.25;
    ctx.stroke();
  }

  /** Times from start to end on a grid that stands still, with the kinks between. */
  function trail_times(start, end, step, kinks) {
    const times = [start];
    for (let k = Math.floor(start / step) + 1; k * step < end; ++k) times.push(k * step);
    for (let i = carom.last_before(kinks, start) + 1; kinks[i] < end; ++i) times.push(kinks[i]);
    return times.sort((a, b) => a - b).concat(end);
  }

  /** Where the point `name` was over the last `span` of time, fading with age. */
  function paint_trail(ctx, lens, scene, motion, name, t, span, colour_name) {
    const pieces = 120,
      shades = 20;
    const start = Math.max(motion.start, t - span);
    if (!(t > start)) return;
    const times = trail_times(start, t, span / pieces, motion.kinks);
    const path = times.map((time) => lens.to(scene.at(motion.at(time), time).get(name)));
    const shade_of = (i) => Math.floor(shades * (1 - (t - times[i]) / span));
    ctx.lineWidth = 1.5;
    ctx.lineJoin = 'round';
    ctx.lineCap = 'butt';
    for (let from = 0, to = 0; from < path.length - 1; from = to) {
      while (to < path.length - 1 && shade_of(to) === shade_of(from)) ++to;
      ctx.strokeStyle = carom.faded(colour_name, (0.6 * (shade_of(from) + 1)) / shades);
      if (trace(ctx, path.slice(from, to + 1))) ctx.stroke();
    }
  }

  /** A ring around a place of the canvas, which widens and fades as `age` goes from 0 to 1. */
  function paint_impact(ctx, [x, y], age, colour_name) {
    if (!drawable([x, y])) return;
    for (const [name, more] of [
      ['paper', 2],
      [colour_name, 0],
    ]) {
      ctx.beginPath();
      ctx.arc(x, y, 5 + 13 * age, 0, full_turn);
      ctx.lineWidth = 2.5 * (1 - age) + 0.5 + more;
      ctx.strokeStyle = carom.faded(name, 0.9 * (1 - age));
      ctx.stroke();
    }
  }

  /**
   * A ring where each of the latest impacts was; where there were several, for the last of them.
   * @param {object} words of the stage, which know what is latest
   * @param {function(number[]): ?number[]} to from a place to the canvas
   */
  function paint_rings(ctx, run, alone, words, to) {
    const { t, places } = run.impacts;
    const last = words.latest_impact(run)?.at ?? -1;
    const colour = alone ? 'impact' : carom.run_colour(run.index);
    const painted = [];
    for (let at = last; at >= 0 && last - at < most_rings && words.age_of(t[at]) < 1; --at) {
      const age = still.matches ? 0.2 : words.age_of(t[at]);
      for (const [x, y] of places[at].map(to).filter(Boolean)) {
        if (painted.some(([a, b]) => Math.hypot(x - a, y - b) < 8)) continue;
        painted.push([x, y]);
        paint_impact(ctx, [x, y], age, colour);
      }
    }
  }

  /** An arrow on the canvas from a place along [dx, dy]; too short to have a head it is none. */
  function paint_arrow(ctx, [x, y], [dx, dy], colour_name) {
    const length = Math.hypot(dx, dy);
    if (!drawable([x + dx, y + dy]) || length < 3) return;
    const [ux, uy] = [dx / length, dy / length];
    const head = Math.min(9, 0.6 * length);
    const [tip_x, tip_y] = [x + dx, y + dy];
    for (const [name, width] of [
      ['paper', 5],
      [colour_name, 2.25],
    ]) {
      ctx.strokeStyle = ctx.fillStyle = carom.colour(name);
      ctx.lineWidth = width;
      ctx.lineCap = ctx.lineJoin = 'round';
      trace(ctx, [
        [x, y],
        [tip_x - 0.7 * head * ux, tip_y - 0.7 * head * uy],
      ]);
      ctx.stroke();
      ctx.lineWidth = width - 2;
      trace(ctx, [
        [tip_x, tip_y],
        [tip_x - head * ux - 0.45 * head * uy, tip_y - head * uy + 0.45 * head * ux],
        [tip_x - head * ux + 0.45 * head * uy, tip_y - head * uy - 0.45 * head * ux],
      ]);
      ctx.closePath();
      ctx.fill();
      if (width > 2) ctx.stroke();
    }
  }

  Object.assign(carom, { make_lens, paint_walls, paint_bodies, paint_trail, paint_rings, paint_arrow });
})((window.carom ??= {}));
