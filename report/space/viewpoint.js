/** From where to look at a scene in space, so that all of its motion is in sight; or along with it, if it leaves. */
(function (carom) {
  'use strict';

  const opening = (32 * Math.PI) / 180; // of the camera, from bottom to top
  const longest = 5; // how many times the size of the bodies together a motion may go before the view follows
  const most_points = 30000;

  /** Points with radii that hold what is seen at some times of all motions. */
  function survey(scene, motions) {
    const solids = scene.movers.flatMap(({ body, k }) => body.solids.map((solid) => ({ points: solid.points, k })));
    const each = solids.reduce((sum, { points }) => sum + points.length, 1) * Math.max(1, motions.length);
    const samples = Math.max(2, Math.min(120, Math.floor(most_points / each)));
    const seen = [];
    for (const motion of motions)
      for (let i = 0; i <= samples; ++i) {
        const t = motion.start + ((motion.end - motion.start) * i) / samples;
        const matrices = scene.at(motion.at(t), t);
        const points = solids.flatMap(({ points, k }) =>
          points.map(([p, radius]) => ({ p: p.clone().applyMatrix4(matrices[k]), radius })),
        );
        seen.push(points.filter(({ p }) => Number.isFinite(p.x + p.y + p.z)));
      }
    return seen;
  }

  const box_of = (points) => {
    const box = new THREE.Box3();
    for (const { p, radius } of points) {
      box.expandByPoint(p.clone().addScalar(radius));
      box.expandByPoint(p.clone().addScalar(-radius));
    }
    return box;
  };
  const size_of = (box) => (box.isEmpty() ? new THREE.Vector3() : box.getSize(new THREE.Vector3()));
  const largest = (v) => Math.max(v.x, v.y, v.z);

  /** What does not move, if it is not so large that the motion would be lost in it. */
  function standing(scene, size) {
    const matrices = scene.at([], 0);
    return scene.bodies.flatMap((body, k) => {
      if (body.free || (size > 0 && body.reach > 2.5 * size)) return [];
      return body.solids.flatMap((solid) =>
        solid.points.map(([p, radius]) => ({ p: p.clone().applyMatrix4(matrices[k]), radius })),
      );
    });
  }

  /**
   * @returns {{points: object[], middle: THREE.Vector3, size: number, along: function}} what is to be in sight, and how
   *   far the view has gone along at t
   */
  function make_viewpoint(scene, motions) {
    const seen = survey(scene, motions);
    const moving = seen.flat();
    const together = Math.max(0, ...seen.map((points) => largest(size_of(box_of(points)))));
    const far = largest(size_of(box_of(moving)));
    const follows = together > 0 && far > longest * together;
    const first = seen[0] ?? [];
    const start = box_of(first).getCenter(new THREE.Vector3());
    const points = follows ? first : [...moving, ...standing(scene, far)];
    if (follows) points.forEach((point) => (point.radius += 0.6 * together));
    const box = box_of(points);
    const middle = box.isEmpty() ? new THREE.Vector3() : box.getCenter(new THREE.Vector3());
    const size = Math.max(size_of(box).length() / 2, 1e-9);

    /** How far the bodies have gone since the start, where the view goes along. */
    function along(q, t) {
      if (!follows) return new THREE.Vector3();
      const matrices = scene.at(q, t);
      const now = new THREE.Box3();
      for (const { k } of scene.movers) now.expandByPoint(new THREE.Vector3().setFromMatrixPosition(matrices[k]));
      const gone = now.getCenter(new THREE.Vector3()).sub(start);
      return Number.isFinite(gone.x + gone.y + gone.z) ? gone : new THREE.Vector3();
    }

    return { points, middle, size: points.length ? size : 1, follows, along, opening, ...first_look(scene, box) };
  }

  /** Across the longer horizontal side, from somewhat to the right of it and above. */
  function first_look(scene, box) {
    const east = carom.across_of(scene.up);
    const north = scene.up.clone().cross(east);
    const half = size_of(box);
    const extent = (v) => Math.abs(v.x) * half.x + Math.abs(v.y) * half.y + Math.abs(v.z) * half.z;
    const turned = extent(north) > 1.2 * extent(east) ? Math.PI / 2 : 0;
    return { east, north, azimuth: turned + 0.42, height: 0.34 };
  }

  /** The directions of a look: towards the eye, to the right and up in the picture. */
  function directions({ east, north }, up, azimuth, height) {
    const flat = east
      .clone()
      .multiplyScalar(Math.sin(azimuth))
      .addScaledVector(north, -Math.cos(azimuth));
    const back = flat.multiplyScalar(Math.cos(height)).addScaledVector(up, Math.sin(height));
    const right = up.clone().cross(back).normalize();
    return { back, right, top: back.clone().cross(right) };
  }

  /** Where to look at, and from how far, so that all points just fit into a picture of this shape. */
  function fitted(viewpoint, { back, right, top }, aspect) {
    const margin = 0.9;
    const tall = Math.tan(opening / 2) * margin;
    const wide = tall * aspect;
    const target = viewpoint.middle.clone();
    let distance = 0;
    for (let round = 0; round < 6; ++round) {
      const edges = { left: 0, right: 0, low: 0, high: 0 };
      const offsets = viewpoint.points.map(({ p, radius }) => {
        const d = p.clone().sub(target);
        return { x: d.dot(right), y: d.dot(top), z: d.dot(back), radius };
      });
      distance = viewpoint.size * 0.2;
      for (const { x, y, z, radius } of offsets)
        distance = Math.max(
          distance,
          z + (Math.abs(x) + radius * Math.hypot(1, wide)) / wide,
          z + (Math.abs(y) + radius * Math.hypot(1, tall)) / tall,
        );
      for (const { x, y, z, radius } of offsets) {
        const depth = distance - z;
        edges.left = Math.min(edges.left, (x - radius) / depth);
        edges.right = Math.max(edges.right, (x + radius) / depth);
        edges.low = Math.min(edges.low, (y - radius) / depth);
        edges.high = Math.max(edges.high, (y + radius) / depth);
      }
      target.addScaledVector(right, ((edges.left + edges.right) / 2) * distance);
      target.addScaledVector(top, ((edges.low + edges.high) / 2) * distance);
    }
    return { target, distance };
  }

  Object.assign(carom, { make_viewpoint, look_directions: directions, fitted_look: fitted });
})((window.carom ??= {}));
