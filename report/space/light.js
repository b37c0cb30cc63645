/** A scene in space by WebGL: bodies in their colours with edges and shadows, walls as planes with a grid. */
(function (carom) {
  'use strict';

  const shadow_pixels = 2048;

  /** Lines along the edges that `rim` tells of, a pixel or so wide. */
  function with_edges(material) {
    material.onBeforeCompile = (shader) => {
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', '#include <common>\nattribute vec3 rim;\nvarying vec3 vRim;')
        .replace('#include <begin_vertex>', '#include <begin_vertex>\nvRim = rim;');
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', '#include <common>\nvarying vec3 vRim;')
        .replace(
          '#include <color_fragment>',
          `#include <color_fragment>
          vec3 to_edge = smoothstep(vec3(0.2), vec3(1.0), vRim / max(1.4 * fwidth(vRim), vec3(1e-5)));
          diffuseColor.rgb *= mix(0.6, 1.0, min(min(to_edge.x, to_edge.y), to_edge.z));`,
        );
    };
    return material;
  }

  /** A plane with lines at every `pitch`, which fades with the distance from `middle` and takes shadows. */
  function floor_material(along, across) {
    const material = new THREE.ShadowMaterial({ transparent: true, depthWrite: false });
    const uniforms = {
      along: { value: along },
      across: { value: across },
      pitch: { value: 1 },
      middle: { value: new THREE.Vector3() },
      reach: { value: 1 },
      paper: { value: new THREE.Color() },
      line: { value: new THREE.Color() },
      shade: { value: new THREE.Color() },
      depth: { value: 0.4 },
    };
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, uniforms);
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', '#include <common>\nvarying vec3 vPlace;')
        .replace('#include <begin_vertex>', '#include <begin_vertex>\nvPlace = (modelMatrix * vec4(position, 1.0)).xyz;');
      shader.fragmentShader = shader.fragmentShader
        .replace(
          '#include <common>',
          `#include <common>
          varying vec3 vPlace;
          uniform vec3 along, across, middle, paper, line, shade;
          uniform float pitch, reach, depth;`,
        )
        .replace(
          'gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );',
          `vec2 at = vec2(dot(vPlace, along), dot(vPlace, across)) / pitch;
          vec2 width = fwidth(at);
          vec2 near = abs(fract(at - 0.5) - 0.5) / max(width, vec2(1e-6));
          vec2 drawn = (1.0 - smoothstep(0.1, 0.9, near)) * clamp(0.35 / width - 0.35, 0.0, 1.0);
          vec3 plain = mix(paper, line, max(drawn.x, drawn.y));
          float shadow = depth * (1.0 - getShadowMask());
          float fade = 1.0 - smoothstep(0.35, 1.0, length(vPlace - middle) / reach);
          gl_FragColor = vec4(mix(plain, shade, shadow), fade);`,
        );
    };
    return { material, uniforms };
  }

  /** 1, 2 or 5 times a power of ten, at least x. */
  function round_number(x) {
    const power = 10 ** Math.floor(Math.log10(x));
    return power * [1, 2, 5, 10].find((digit) => digit * power >= 0.999 * x);
  }

  function add_lights(world, scene, viewpoint) {
    const sky = new THREE.HemisphereLight(0xffffff, 0xc4c8d0, 2.3);
    sky.position.copy(scene.up);
    const sun = new THREE.DirectionalLight(0xffffff, 2.4);
    sun.castShadow = true;
    sun.shadow.mapSize.set(shadow_pixels, shadow_pixels);
    sun.shadow.radius = 3;
    const reach = 1.5 * viewpoint.size;
    Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * reach });
    sun.shadow.camera.far = 8 * reach;
    sun.shadow.normalBias = 0.006 * reach;
    sun.shadow.bias = -0.0004;
    const { right, back } = carom.look_directions(viewpoint, scene.up, viewpoint.azimuth, 0);
    const direction = scene.up.clone().multiplyScalar(2).addScaledVector(right, -1).addScaledVector(back, 0.7);
    direction.normalize().multiplyScalar(4 * reach);
    world.add(sky, sun, sun.target);
    /** Goes along with the view. */
    return (middle) => {
      sun.target.position.copy(middle);
      sun.position.copy(middle).add(direction);
    };
  }

  /** The bodies of one run, equal shapes together; and its links as rods. */
  function make_crowd(world, scene) {
    const material = with_edges(new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.62, metalness: 0 }));
    const groups = new Map();
    scene.bodies.forEach((body, k) => {
      for (const { geometry, matrix } of body.solids) {
        if (!groups.has(geometry)) groups.set(geometry, []);
        groups.get(geometry).push({ body: k, matrix });
      }
    });
    for (const spring of [false, true]) {
      const links = scene.links.filter((link) => link.spring === spring);
      if (links.length) groups.set(spring ? carom.coil() : carom.rod(), links);
    }
    const meshes = [...groups].map(([geometry, members]) => {
      const mesh = new THREE.InstancedMesh(geometry, material, members.length);
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      world.add(mesh);
      return { mesh, members };
    });
    const matrix = new THREE.Matrix4();

    function dress(colour_of) {
      const colour = new THREE.Color();
      for (const { mesh, members } of meshes) {
        members.forEach(({ body }, i) => {
          const name = body === undefined ? 'muted' : colour_of(scene.bodies[body].colour);
          mesh.setColorAt(i, colour.set(carom.colour(name)));
        });
        mesh.instanceColor.needsUpdate = true;
      }
    }

    function pose(matrices, thickness) {
      for (const { mesh, members } of meshes) {
        members.forEach((member, i) => {
          if (member.from) rod_between(matrix, ...carom.link_ends(scene, matrices, member), thickness);
          else matrix.multiplyMatrices(matrices[member.body], member.matrix);
          mesh.setMatrixAt(i, matrix);
        });
        mesh.instanceMatrix.needsUpdate = true;
      }
    }

    function show(visible, opacity) {
      for (const { mesh } of meshes) mesh.visible = visible;
      if (material.transparent !== opacity < 1) material.needsUpdate = true;
      Object.assign(material, { transparent: opacity < 1, opacity });
    }

    return { dress, pose, show };
  }

  const x_axis = () => new THREE.Vector3(1, 0, 0);

  /** What is one long along x becomes a rod from a to b. */
  function rod_between(matrix, a, b, thickness) {
    const way = b.clone().sub(a);
    const length = way.length();
    const turn = new THREE.Quaternion();
    if (length > 0) turn.setFromUnitVectors(x_axis(), way.divideScalar(length));
    matrix.compose(a.clone().lerp(b, 0.5), turn, new THREE.Vector3(length, thickness, thickness));
  }

  /** The planes of what has no end. Those that do not move are cut where they meet. */
  function make_walls(world, scene, viewpoint) {
    const walls = scene.bodies.flatMap((body, k) => body.walls.map((wall) => ({ ...wall, body: k, free: body.free })));
    const reach = 3.2 * viewpoint.size;
    const still = scene.at([], 0);
    for (const wall of walls.filter(({ free }) => !free)) {
      wall.normal = wall.normal.clone().transformDirection(still[wall.body]);
      wall.offset = wall.normal.dot(wall.point.clone().applyMatrix4(still[wall.body]));
    }
    const fixed = walls.filter(({ free }) => !free);
    return walls.map((wall) => {
      const along = carom.across_of(wall.normal);
      const across = wall.normal.clone().cross(along);
      const { material, uniforms } = floor_material(along, across);
      uniforms.pitch.value = round_number(viewpoint.size / 5);
      uniforms.reach.value = reach;
      const mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
      mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      world.add(mesh);

      /** Made anew as the view goes along. */
      function lay(middle, matrices) {
        uniforms.middle.value.copy(middle).addScaledVector(wall.normal, (wall.offset ?? 0) - wall.normal.dot(middle));
        let cut = { ring: [], along, across };
        if (wall.free) {
          const own = { normal: wall.normal.clone().transformDirection(matrices[wall.body]) };
          own.offset = own.normal.dot(wall.point.clone().applyMatrix4(matrices[wall.body]));
          cut = carom.wall_outline(own, fixed, middle, reach);
          uniforms.middle.value.copy(middle).addScaledVector(own.normal, own.offset - own.normal.dot(middle));
          uniforms.along.value.copy(cut.along);
          uniforms.across.value.copy(cut.across);
        } else {
          cut = carom.wall_outline(wall, fixed, middle, reach);
        }
        const triangles = cut.ring.slice(2).flatMap((p, i) => [cut.ring[0], cut.ring[i + 1], p]);
        const numbers = new Float32Array(triangles.flatMap((p) => p.toArray()));
        mesh.geometry.setAttribute('position', new THREE.BufferAttribute(numbers, 3));
        mesh.visible = triangles.length > 0;
      }

      function dress() {
        uniforms.paper.value.set(carom.colour('tint'));
        uniforms.line.value.set(carom.colour('line'));
        const dark = document.documentElement.dataset.theme === 'dark';
        uniforms.shade.value.set(dark ? '#000000' : '#2a3238');
        uniforms.depth.value = dark ? 0.6 : 0.42;
      }

      return { lay, dress, free: wall.free };
    });
  }

  /** Ribbons that face the camera, a few pixels wide, and fade. */
  function make_ribbon(world) {
    const geometry = new THREE.BufferGeometry();
    let positions, colours;
    const mesh = new THREE.Mesh(
      geometry,
      new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, side: THREE.DoubleSide }),
    );
    mesh.frustumCulled = false;
    world.add(mesh);

    function make_room(points) {
      positions = new THREE.BufferAttribute(new Float32Array(6 * points), 3);
      colours = new THREE.BufferAttribute(new Float32Array(8 * points), 4);
      geometry.setAttribute('position', positions);
      geometry.setAttribute('color', colours);
      const pieces = Array.from({ length: points - 1 }, (_, i) => [0, 1, 2, 2, 1, 3].map((k) => 2 * i + k));
      geometry.setIndex(pieces.flat());
    }

    /** @param {THREE.Vector3[]} path from old to new */
    function lay(path, camera, pixel, name) {
      if (!positions) make_room(path.length);
      const colour = new THREE.Color(carom.colour(name));
      path.forEach((p, i) => {
        const way = (path[i + 1] ?? p).clone().sub(path[i - 1] ?? p);
        const eye = camera.position.clone().sub(p);
        const width = 1.2 * pixel * eye.length();
        const side = way.cross(eye).normalize().multiplyScalar(width);
        positions.setXYZ(2 * i, p.x + side.x, p.y + side.y, p.z + side.z);
        positions.setXYZ(2 * i + 1, p.x - side.x, p.y - side.y, p.z - side.z);
        for (const k of [0, 1]) colours.setXYZW(2 * i + k, colour.r, colour.g, colour.b, (0.85 * i) / path.length);
      });
      positions.needsUpdate = colours.needsUpdate = true;
      mesh.visible = true;
    }
    return { lay, hide: () => (mesh.visible = false) };
  }

  /** Null where there is no WebGL. */
  function make_renderer() {
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('webgl2', { alpha: true, antialias: true, premultipliedAlpha: true });
    if (!context) return null;
    const renderer = new THREE.WebGLRenderer({ canvas, context });
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.autoUpdate = false;
    renderer.setClearColor(0x000000, 0);
    return renderer;
  }

  /**
   * @param {object} scene
   * @param {object} viewpoint
   * @param {number} runs how many there are
   */
  function make_light_painter(scene, viewpoint, runs) {
    const renderer = make_renderer();
    if (!renderer) return null;
    const world = new THREE.Scene();
    const light = add_lights(world, scene, viewpoint);
    const walls = make_walls(world, scene, viewpoint);
    const crowds = Array.from({ length: runs }, () => make_crowd(world, scene));
    const ribbons = Array.from({ length: runs }, () => scene.trails.map(() => make_ribbon(world)));
    let lost = false;
    renderer.domElement.addEventListener('webglcontextlost', () => (lost = true));

    function dress() {
      walls.forEach((wall) => wall.dress());
    }

    /**
     * @param {CanvasRenderingContext2D} ctx
     * @param {object} frame `camera`, `size`, `ratio`, `pixel` (of the picture, at distance 1), `moved` (since the last
     *   frame, something but the camera) and `shown`, a list for each run: null, or `matrices`, `colour_of`, `opacity`
     *   and `paths` of trails
     */
    function paint(ctx, frame) {
      const { camera, size, ratio, pixel, middle, shown } = frame;
      renderer.setPixelRatio(ratio);
      renderer.setSize(...size, false);
      if (frame.moved) {
        light(middle);
        const front = shown.find(Boolean);
        if (front) walls.forEach((wall) => wall.lay(middle, front.matrices));
        shown.forEach((one, i) => {
          crowds[i].show(Boolean(one), one?.opacity ?? 1);
          if (!one) return;
          crowds[i].dress(one.colour_of);
          crowds[i].pose(one.matrices, 0.005 * viewpoint.size);
        });
        renderer.shadowMap.needsUpdate = true;
      }
      shown.forEach((one, i) =>
        ribbons[i].forEach((ribbon, k) => {
          const path = one?.paths[k];
          if (path) ribbon.lay(path, camera, pixel, one.colour_of(scene.bodies[scene.trails[k].body].colour));
          else ribbon.hide();
        }),
      );
      renderer.render(world, camera);
      ctx.drawImage(renderer.domElement, 0, 0, ...size);
    }

    return { paint, dress, lost: () => lost };
  }

  Object.assign(carom, { make_light_painter });
})((window.carom ??= {}));
