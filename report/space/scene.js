/** A scene in space at any time: where its bodies are, the walls that have no end, the ends of links and trails. */
(function (carom) {
  'use strict';

  const vector = (x) => new THREE.Vector3(...x);
  const rotation = ([w, x, y, z]) => new THREE.Quaternion(x, y, z, w);
  const ones = new THREE.Vector3(1, 1, 1);

  /** The parts of a body that have an end, with where they are in it; complaints about those that cannot be made. */
  function solids_of(body, fine, geometry_of, complaints) {
    return body.parts.flatMap((part) => {
      try {
        const figure = carom.figure(part, fine);
        if (!figure) return [];
        const inside = new THREE.Matrix4().compose(vector(part.at), rotation(part.turn), ones);
        const points = figure.points.map(([point, radius]) => [vector(point).applyMatrix4(inside), radius]);
        return [{ part, points, geometry: geometry_of(figure), matrix: inside.clone().scale(vector(figure.stretch)) }];
      } catch (error) {
        complaints.push(`body ${body.name}: ${error.message}`);
        return [];
      }
    });
  }

  /** Its half-spaces: a point of each in the body, and the outward normal. */
  function walls_of(body) {
    return body.parts
      .filter(({ kind }) => kind === 'half-space')
      .map((part) => ({
        point: vector(part.at),
        normal: vector([part.shape].flat()).applyQuaternion(rotation(part.turn)).normalize(),
      }));
  }

  const is_free = (body) => body.columns !== null || body.path !== null;

  /** A body's tip leaves a trail where its middle would leave none. */
  function tip_of(body) {
    const points = body.solids.flatMap((solid) => solid.points);
    const far = points.map(([p, radius]) => p.length() + radius);
    const at = far.indexOf(Math.max(...far));
    if (at < 0) return [0, 0, 0];
    const [p, radius] = points[at];
    const scale = p.length() > 0 ? far[at] / p.length() : 0;
    return scale ? p.clone().multiplyScalar(scale).toArray() : [radius, 0, 0];
  }

  function make_space_scene(space, motions) {
    const complaints = [];
    const count = space.bodies.reduce((sum, body) => sum + body.parts.length, 0);
    const fine = count > 300 ? 16 : count > 60 ? 24 : 48;
    const geometry_of = carom.make_geometries();
    const bodies = space.bodies.map((body) => ({
      ...body,
      free: is_free(body),
      solids: solids_of(body, fine, geometry_of, complaints),
      walls: walls_of(body),
    }));
    bodies.forEach((body) => {
      const reach = body.solids.flatMap((solid) => solid.points).map(([p, radius]) => p.length() + radius);
      body.reach = Math.max(0, ...reach);
    });

    /** Where a body is: its matrix is what was given. */
    function place(body, q, t, matrix) {
      const at = body.columns ? body.columns.map((k) => q[k]) : body.path ? body.path.at(t) : body.pose;
      const turn = rotation(at.slice(3));
      if (turn.lengthSq() > 0) turn.normalize();
      else turn.identity();
      return matrix.compose(vector(at), turn, ones);
    }

    /** The matrices of all bodies. */
    function at(q, t) {
      return bodies.map((body) => place(body, q, t, new THREE.Matrix4()));
    }

    /** A point of a body, or of space where there is none. */
    const point = (matrices, body, p) => (body === null ? vector(p) : vector(p).applyMatrix4(matrices[body]));

    /** The same at a time, without all the others. */
    const point_at = (body, p, q, t) => vector(p).applyMatrix4(place(bodies[body], q, t, new THREE.Matrix4()));

    const movers = bodies.map((body, k) => ({ body, k })).filter(({ body }) => body.free && body.solids.length);

    /** Middles leave a trail, or tips where the middle stays at its place. */
    function chosen_trails() {
      const motion = motions[0];
      if (!motion) return [];
      return movers.slice(0, 12).map(({ body, k }) => {
        const box = new THREE.Box3();
        for (let i = 0; i <= 100; ++i) {
          const t = motion.start + ((motion.end - motion.start) * i) / 100;
          box.expandByPoint(new THREE.Vector3().setFromMatrixPosition(place(body, motion.at(t), t, new THREE.Matrix4())));
        }
        const stays = box.getSize(new THREE.Vector3()).length() < body.reach;
        return { body: k, at: stays ? tip_of(body) : [0, 0, 0] };
      });
    }

    return {
      up: vector(space.up),
      bodies,
      movers,
      links: space.links,
      trails: space.trails ?? chosen_trails(),
      trails_shown: space.trails !== null || movers.length <= 6,
      complaints,
      at,
      point,
      point_at,
    };
  }

  /** Of the plane of a wall, as far as `size` around `middle`, what no other wall cuts off: corners in order. */
  function wall_outline(wall, walls, middle, size) {
    const foot = wall.normal.clone().multiplyScalar(wall.offset - wall.normal.dot(middle)).add(middle);
    const along = across_of(wall.normal);
    const across = wall.normal.clone().cross(along);
    const corner = (a, b) => foot.clone().addScaledVector(along, a * size).addScaledVector(across, b * size);
    let ring = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
    for (const other of walls) {
      if (other === wall || Math.abs(other.normal.dot(wall.normal)) > 0.999) continue;
      ring = clipped(ring, (p) => other.normal.dot(p) - other.offset);
    }
    return { ring, along, across };
  }

  /** A direction across another: that of an axis of space, as nearly as it can be. */
  function across_of(normal) {
    const axis = ['x', 'y', 'z'].map((k) => Math.abs(normal[k]));
    const unit = new THREE.Vector3().setComponent(axis[0] < 0.9 ? 0 : 1, 1);
    return unit.addScaledVector(normal, -unit.dot(normal)).normalize();
  }

  /** The part of a ring of points where `inside` is not negative. */
  function clipped(ring, inside) {
    return ring.flatMap((p, k) => {
      const next = ring[(k + 1) % ring.length];
      const [here, there] = [inside(p), inside(next)];
      const kept = here >= 0 ? [p] : [];
      return here * there < 0 ? [...kept, p.clone().lerp(next, here / (here - there))] : kept;
    });
  }

  Object.assign(carom, { make_space_scene, wall_outline, across_of, clipped });
})((window.carom ??= {}));
