/**
 * A scene in space without WebGL: triangles on a canvas, the farthest first, in the light of one sun, with the shadows
 * that they throw on what has no end. Without the depth of each point, bodies that are long may cover each other wrongly.
 */
(function (carom) {
  'use strict';

  const lines = 12; // of the grid, to each side
  const near = 0.02;

  /** The triangles of a geometry: corners, lightness. */
  function triangles_of(geometry) {
    const { position, color } = geometry.attributes;
    return Array.from({ length: position.count / 3 }, (_, n) => ({
      corners: [0, 1, 2].map((k) => new THREE.Vector3().fromBufferAttribute(position, 3 * n + k)),
      light: color.getX(3 * n),
    }));
  }

  /** "#rrggbb", lighter or darker. */
  function shaded(hex, factor) {
    const parts = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
    return `rgb(${parts.map((x) => Math.round(Math.min(255, x * factor))).join()})`;
  }

  function path_through(ctx, points) {
    points.forEach(([x, y], i) => (i === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y)));
    ctx.closePath();
  }

  function make_plain_painter(scene, viewpoint) {
    const known = new Map();
    const { right, back } = carom.look_directions(viewpoint, scene.up, viewpoint.azimuth, 0);
    const sun = scene.up.clone().multiplyScalar(2).addScaledVector(right, -1).addScaledVector(back, 0.7).normalize();

    /** Coarser than with WebGL, as each triangle is a path. */
    function triangles_for(part) {
      const figure = carom.figure(part, scene.bodies.length > 100 ? 8 : 16);
      if (!known.has(figure.key)) known.set(figure.key, triangles_of(figure.make()));
      return known.get(figure.key);
    }
    let solids = null;

    /** Made at the first picture: where there is WebGL, there is none. */
    const make_solids = () =>
      scene.bodies.flatMap((body, k) =>
        body.solids.map(({ part, matrix }) => ({ body: k, matrix, triangles: triangles_for(part) })),
      );

    /** The walls in space at this time that are seen from their front. */
    function walls_now(matrices, middle, camera) {
      const walls = scene.bodies.flatMap((body, k) =>
        body.walls.map((wall) => {
          const normal = wall.normal.clone().transformDirection(matrices[k]);
          return { normal, offset: normal.dot(wall.point.clone().applyMatrix4(matrices[k])) };
        }),
      );
      return walls
        .map((wall) => ({ ...wall, ...carom.wall_outline(wall, walls.filter((w) => w.normal !== wall.normal), middle, 2 * viewpoint.size) }))
        .filter(({ normal, offset }) => normal.dot(camera.position) > offset);
    }

    /** What of a ring is in front of the camera, on the canvas. */
    function seen(ring, frame) {
      const { camera, size } = frame;
      const facing = camera.getWorldDirection(new THREE.Vector3());
      const depth = (p) => p.clone().sub(camera.position).dot(facing) - near * viewpoint.size;
      return carom.clipped(ring, depth).map((p) => {
        const at = p.clone().project(camera);
        return [((at.x + 1) / 2) * size[0], ((1 - at.y) / 2) * size[1]];
      });
    }

    function paint_wall(ctx, wall, frame) {
      const fill = (ring) => {
        ctx.beginPath();
        path_through(ctx, seen(ring, frame));
      };
      ctx.save();
      fill(wall.ring);
      ctx.fillStyle = carom.colour('tint');
      ctx.fill();
      ctx.clip();
      ctx.strokeStyle = carom.colour('axis');
      ctx.lineWidth = 0.75;
      const pitch = (2 * viewpoint.size) / lines;
      for (const [way, other] of [[wall.along, wall.across], [wall.across, wall.along]]) {
        const from = Math.floor(frame.middle.dot(other) / pitch);
        const foot = frame.middle.clone().addScaledVector(wall.normal, wall.offset - wall.normal.dot(frame.middle));
        for (let k = from - lines; k <= from + lines; ++k) {
          const on = foot.clone().addScaledVector(other, k * pitch - foot.dot(other));
          const ends = [-1, 1].map((sign) => on.clone().addScaledVector(way, 2 * sign * viewpoint.size));
          ctx.beginPath();
          path_through(ctx, seen(ends, frame));
          ctx.stroke();
        }
      }
      paint_shadows(ctx, wall, frame);
      ctx.restore();
    }

    /** All of them in one path, so that they are not darker where they overlap. */
    function paint_shadows(ctx, wall, frame) {
      const fall = wall.normal.dot(sun);
      if (fall < 0.1) return;
      ctx.beginPath();
      for (const { corners, normal } of frame.facets) {
        if (normal.dot(sun) <= 0) continue;
        const ring = corners.map((p) => p.clone().addScaledVector(sun, -(wall.normal.dot(p) - wall.offset) / fall));
        path_through(ctx, seen(ring, frame));
      }
      ctx.fillStyle = 'rgba(20, 26, 32, 0.2)';
      ctx.fill();
    }

    /** The triangles of all bodies in space, with their colours. */
    function facets_of(shown) {
      solids ??= make_solids();
      const matrix = new THREE.Matrix4();
      return shown.filter(Boolean).flatMap(({ matrices, colour_of, opacity }) =>
        solids.flatMap(({ body, triangles, matrix: inside }) => {
          matrix.multiplyMatrices(matrices[body], inside);
          const colour = carom.colour(colour_of(scene.bodies[body].colour));
          return triangles.map(({ corners, light }) => {
            const [a, b, c] = corners.map((p) => p.clone().applyMatrix4(matrix));
            const normal = b.clone().sub(a).cross(c.clone().sub(a)).normalize();
            return { corners: [a, b, c], normal, light, colour, opacity };
          });
        }),
      );
    }

    function paint_facets(ctx, frame) {
      const eye = frame.camera.position;
      const facing = frame.facets
        .map((facet) => ({ ...facet, middle: facet.corners[0].clone().add(facet.corners[1]).add(facet.corners[2]).divideScalar(3) }))
        .filter(({ normal, middle }) => normal.dot(eye.clone().sub(middle)) > 0)
        .sort((a, b) => b.middle.distanceToSquared(eye) - a.middle.distanceToSquared(eye));
      ctx.lineJoin = 'round';
      ctx.lineWidth = 0.7; // or the background shows between triangles
      for (const { corners, normal, light, colour, opacity } of facing) {
        ctx.globalAlpha = opacity;
        ctx.beginPath();
        path_through(ctx, seen(corners, frame));
        ctx.fillStyle = ctx.strokeStyle = shaded(colour, light * (0.72 + 0.42 * Math.max(0, normal.dot(sun)) + 0.12 * normal.dot(scene.up)));
        ctx.fill();
        ctx.stroke();
      }
      ctx.globalAlpha = 1;
    }

    function paint_lines(ctx, frame) {
      ctx.lineCap = 'round';
      for (const { matrices, paths, colour_of } of frame.shown.filter(Boolean)) {
        ctx.strokeStyle = carom.colour('rod');
        ctx.lineWidth = 2.5;
        for (const link of scene.links) {
          ctx.beginPath();
          path_through(ctx, seen(carom.link_ends(scene, matrices, link), frame));
          ctx.stroke();
        }
        ctx.lineWidth = 2;
        paths.forEach((path, k) => {
          ctx.strokeStyle = carom.faded(colour_of(scene.bodies[scene.trails[k].body].colour), 0.35);
          ctx.beginPath();
          seen_line(path, frame).forEach(([x, y], i) => (i === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y)));
          ctx.stroke();
        });
      }
    }
    const seen_line = (path, frame) => path.flatMap((p) => seen([p], frame));

    function paint(ctx, frame) {
      const front = frame.shown.find(Boolean);
      const whole = { ...frame, facets: facets_of(frame.shown) };
      if (front) for (const wall of walls_now(front.matrices, frame.middle, frame.camera)) paint_wall(ctx, wall, whole);
      paint_lines(ctx, whole);
      paint_facets(ctx, whole);
    }

    return { paint };
  }

  Object.assign(carom, { make_plain_painter });
})((window.carom ??= {}));
