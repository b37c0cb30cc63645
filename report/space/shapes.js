/**
 * Shapes as triangles. Equal ones are one geometry, stretched; each triangle knows which of its sides are edges that are
 * seen (`rim`: the distance to them), and how light it is, so that a ball shows how it turns.
 */
(function (carom) {
  'use strict';

  const sharp = Math.cos((25 * Math.PI) / 180); // between faces: more is an edge
  const shade = 0.74; // of the darker quarters of what is round

  /** Whether each side of each triangle is an edge; side k is the one opposite to corner k. */
  function find_edges(positions, normals, size) {
    const key = (i) => [0, 1, 2].map((k) => Math.round((1e5 / size) * positions[3 * i + k])).join();
    const sides = new Map();
    const side_of = (n, k) => [key(3 * n + ((k + 1) % 3)), key(3 * n + ((k + 2) % 3))].sort().join('|');
    normals.forEach((normal, n) => {
      if (!normal) return;
      for (let k = 0; k < 3; ++k) {
        const side = side_of(n, k);
        if (!sides.has(side)) sides.set(side, []);
        sides.get(side).push(normal);
      }
    });
    return (n, k) => {
      const faces = normals[n] ? sides.get(side_of(n, k)) : [null, null];
      return faces.length !== 2 || (faces[0] !== null && faces[0].dot(faces[1]) < sharp);
    };
  }

  /** The normal of each triangle, null where it has no area. */
  function face_normals(positions) {
    const corner = (i) => new THREE.Vector3(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
    return Array.from({ length: positions.length / 9 }, (_, n) => {
      const [a, b, c] = [0, 1, 2].map((k) => corner(3 * n + k));
      const normal = b.sub(a).cross(c.sub(a));
      return normal.lengthSq() > 0 ? normal.normalize() : null;
    });
  }

  /** @param {function(number, number, number): boolean} dark by the middle of a triangle */
  function finished(source, dark) {
    const made = source.index ? source.toNonIndexed() : source;
    const positions = made.attributes.position.array;
    const size = positions.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    const is_edge = find_edges(positions, face_normals(positions), size);
    const [rim, light] = [new Float32Array(positions.length), new Float32Array(positions.length)];
    for (let n = 0; n < positions.length / 9; ++n) {
      const middle = [0, 1, 2].map((k) => positions[9 * n + k] + positions[9 * n + 3 + k] + positions[9 * n + 6 + k]);
      light.fill(dark(...middle) ? shade : 1, 9 * n, 9 * n + 9);
      for (let k = 0; k < 3; ++k) {
        const edge = is_edge(n, k);
        for (let corner = 0; corner < 3; ++corner) rim[9 * n + 3 * corner + k] = edge && corner !== k ? 0 : 1;
      }
    }
    made.setAttribute('rim', new THREE.BufferAttribute(rim, 3));
    made.setAttribute('color', new THREE.BufferAttribute(light, 3));
    return made;
  }

  /** A convex polyhedron; its faces may be listed either way round. */
  function polyhedron(points, faces) {
    const corners = points.map((point) => new THREE.Vector3(...point));
    const middle = corners.reduce((sum, p) => sum.add(p), new THREE.Vector3()).divideScalar(corners.length || 1);
    const [positions, normals] = [[], []];
    for (const face of faces) {
      let ring = face.map((k) => corners[k]);
      if (ring.length < 3 || ring.some((p) => !p)) throw new Error('a face of a polyhedron names no point');
      const normal = new THREE.Vector3();
      ring.forEach((p, k) => normal.add(p.clone().sub(middle).cross(ring[(k + 1) % ring.length].clone().sub(middle))));
      if (normal.dot(ring[0].clone().sub(middle)) < 0) {
        ring = ring.reverse();
        normal.negate();
      }
      normal.normalize();
      for (let k = 1; k + 1 < ring.length; ++k)
        for (const p of [ring[0], ring[k], ring[k + 1]]) {
          positions.push(...p.toArray());
          normals.push(...normal.toArray());
        }
    }
    const made = new THREE.BufferGeometry();
    made.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
    made.setAttribute('normal', new THREE.Float32BufferAttribute(normals, 3));
    return made;
  }

  const never = () => false;
  const by_octant = (x, y, z) => x * y * z < 0;
  const by_quarter = (x, y, z) => y * z < 0;
  const lying = (geometry) => geometry.rotateZ(-Math.PI / 2); // three.js has axes along y

  /**
   * How a part is made: `key` of its geometry, the geometry's maker, its stretch along x, y and z, and points that
   * hold it, each with a radius. `fine`: how many pieces a round one has.
   */
  function figure(part, fine) {
    const { kind, shape } = part;
    const numbers = [shape].flat();
    const round = (stretch, points) => ({
      key: 'ball',
      make: () => finished(new THREE.SphereGeometry(1, fine, fine / 2), by_octant),
      stretch,
      points,
    });
    const origin = [0, 0, 0];
    switch (kind) {
      case 'ball':
        return round([numbers[0], numbers[0], numbers[0]], [[origin, numbers[0]]]);
      case 'ellipsoid':
        return round(numbers, corners_of(numbers.map((x) => x / Math.sqrt(3))));
      case 'box':
        return {
          key: 'box',
          make: () => finished(new THREE.BoxGeometry(1, 1, 1), never),
          stretch: numbers,
          points: corners_of(numbers.map((x) => x / 2)),
        };
      case 'cylinder': {
        const [length, radius] = numbers;
        return {
          key: 'cylinder',
          make: () => finished(lying(new THREE.CylinderGeometry(1, 1, 1, fine)), by_quarter),
          stretch: [length, radius, radius],
          points: corners_of([length / 2, 0.71 * radius, 0.71 * radius]),
        };
      }
      case 'capsule': {
        const [length, radius] = numbers;
        const ends = [-length / 2, length / 2].map((x) => [[x, 0, 0], radius]);
        const make = () => finished(lying(new THREE.CapsuleGeometry(1, length / radius, fine / 4, fine)), by_quarter);
        return { key: `capsule ${length / radius}`, make, stretch: [radius, radius, radius], points: ends };
      }
      case 'polyhedron':
        return {
          key: 'polyhedron ' + JSON.stringify(shape),
          make: () => finished(polyhedron(shape.points, shape.faces), never),
          stretch: [1, 1, 1],
          points: shape.points.map((point) => [point, 0]),
        };
      default:
        return null; // a half-space has no end
    }
  }

  const corners_of = ([a, b, c]) =>
    [-a, a].flatMap((x) => [-b, b].flatMap((y) => [-c, c].map((z) => [[x, y, z], 0])));

  /** Made once each. */
  function make_geometries() {
    const made = new Map();
    return ({ key, make }) => {
      if (!made.has(key)) made.set(key, make());
      return made.get(key);
    };
  }

  /** What joins two points, of length 1 along x and radius 1. */
  const rod = () => finished(lying(new THREE.CylinderGeometry(1, 1, 1, 12)), never);
  function coil() {
    const turns = 9;
    const pieces = 16 * turns;
    const points = Array.from({ length: pieces + 1 }, (_, i) => {
      const wide = 3 * Math.min(1, i / 12, (pieces - i) / 12);
      const angle = (2 * Math.PI * turns * i) / pieces;
      return new THREE.Vector3(24 * (i / pieces - 0.5), wide * Math.cos(angle), wide * Math.sin(angle));
    });
    const tube = new THREE.TubeGeometry(new THREE.CatmullRomCurve3(points), 2 * pieces, 0.7, 8);
    return finished(tube.scale(1 / 24, 1, 1), never);
  }

  Object.assign(carom, { figure, make_geometries, rod, coil });
})((window.carom ??= {}));
