/** The canvas of a scene in space, with its camera, marks and switches. */
(function (carom) {
  'use strict';

  const { element } = carom;
  const largest_push = 0.3; // of the size of the scene
  const trail_pieces = 64;

  /** Height for a width: wide where there is room, nearly square on a phone. */
  const stage_height = (width) => Math.round(Math.min(Math.max(0.64 * width, 300), 480));

  const colour_of = (run, alone) => (colour) =>
    colour === null ? 'faint' : alone ? carom.body_colour(colour) : carom.run_colour(run.index);

  /** From space to the canvas; null for what is behind the camera. */
  function make_projection(camera, width, height) {
    const facing = camera.getWorldDirection(new THREE.Vector3());
    return (p) => {
      const at = p.isVector3 ? p.clone() : new THREE.Vector3(...p);
      if (at.clone().sub(camera.position).dot(facing) < camera.near) return null;
      at.project(camera);
      return [((at.x + 1) / 2) * width, ((1 - at.y) / 2) * height];
    };
  }

  /** The ends of a link. */
  const link_ends = (scene, matrices, { from, to }) =>
    [from, to].map(({ body, at }) => scene.point(matrices, body, at));

  /** x, y and z, small in a corner. */
  function paint_axes(ctx, camera, height) {
    const back = camera.matrixWorldInverse;
    const [x0, y0, length] = [34, height - 34, 20];
    const axes = ['x', 'y', 'z'].map((name, k) => ({
      name,
      way: new THREE.Vector3().setComponent(k, 1).transformDirection(back),
    }));
    ctx.font = '11px system-ui, sans-serif';
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.lineCap = 'round';
    ctx.lineWidth = 1.5;
    for (const { name, way } of axes.sort((a, b) => a.way.z - b.way.z)) {
      ctx.strokeStyle = ctx.fillStyle = carom.colour(way.z < -0.3 ? 'faint' : 'muted');
      ctx.beginPath();
      ctx.moveTo(x0, y0);
      ctx.lineTo(x0 + length * way.x, y0 - length * way.y);
      ctx.stroke();
      if (Math.hypot(way.x, way.y) > 0.25) ctx.fillText(name, x0 + 1.45 * length * way.x, y0 - 1.45 * length * way.y);
    }
  }

  /** The names of what moves; where they would cover each other, of the nearest. */
  function paint_names(ctx, scene, matrices, to, camera) {
    const at = scene.movers
      .map(({ body, k }) => ({ name: body.name, p: new THREE.Vector3().setFromMatrixPosition(matrices[k]) }))
      .map((one) => ({ ...one, place: to(one.p), far: one.p.distanceTo(camera.position) }))
      .filter(({ place }) => place && place.every(Number.isFinite))
      .sort((a, b) => a.far - b.far);
    ctx.font = '600 12px system-ui, sans-serif';
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.lineJoin = 'round';
    const taken = [];
    for (const { name, place } of at) {
      const half = ctx.measureText(name).width / 2 + 4;
      if (taken.some(([x, y, w]) => Math.abs(x - place[0]) < w + half && Math.abs(y - place[1]) < 16)) continue;
      taken.push([...place, half]);
      ctx.lineWidth = 4;
      ctx.strokeStyle = carom.faded('paper', 0.85);
      ctx.strokeText(name, ...place);
      ctx.fillStyle = carom.colour('ink');
      ctx.fillText(name, ...place);
    }
  }

  function make_space_stage(host, report, state, film) {
    const canvas = element('canvas', { role: 'img', tabindex: 0, class: 'space' });
    const words = carom.make_words(host, report, state, film);
    host.append(canvas);
    const ctx = canvas.getContext('2d');
    const alone = film.movers.length === 1;
    const motions = film.movers.map((mover) => mover.motion);
    const scene = carom.make_space_scene(report.space, motions);
    const viewpoint = carom.make_viewpoint(scene, motions);
    const light = carom.make_light_painter(scene, viewpoint, motions.length);
    const plain = carom.make_plain_painter(scene, viewpoint);
    const orbit = carom.make_orbit(canvas, viewpoint, scene.up, () => ask_for_paint());
    const trail_span = 1.6 * film.rate;
    const has_forces = film.movers.some(({ run }) => run.pushes.largest > 0);
    const switches = { forces: has_forces, trails: scene.trails_shown, labels: false };
    let [width, height, moved, asked] = [0, 0, true, false];

    const painter = () => (light && !light.lost() ? light : plain);

    function resize(new_width) {
      width = new_width;
      height = stage_height(width);
      const ratio = window.devicePixelRatio || 1;
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.height = height + 'px';
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      paint_anew();
    }

    /** Where the points of trails were in the time before t, from old to new. */
    function paths_of(motion, t) {
      const from = Math.max(motion.start, t - trail_span);
      const times = Array.from({ length: trail_pieces + 1 }, (_, i) => from + ((t - from) * i) / trail_pieces);
      const states = times.map(motion.at);
      return scene.trails.map(({ body, at }) => times.map((time, i) => scene.point_at(body, at, states[i], time)));
    }

    /** What of a run is to be seen now; null if it is switched off. */
    function part_of({ run, motion }, front) {
      if (!state.visible[run.index]) return null;
      const t = Math.min(state.time, motion.end);
      const over = state.time > motion.end + motion.dt;
      return {
        run,
        t,
        matrices: scene.at(motion.at(t), t),
        colour_of: colour_of(run, alone),
        opacity: over ? 0.25 : front ? 1 : 0.5,
        paths: switches.trails ? paths_of(motion, t) : [],
      };
    }

    /** The forces of contacts, from where they act. */
    function paint_pushes({ run, t }, to) {
      const { t: times, arrows, largest } = run.pushes;
      const at = carom.last_before(times, t + 1e-12);
      if (at < 0 || !(largest > 0)) return;
      const scale = (largest_push * viewpoint.size) / largest;
      const colour = alone ? 'lasting' : carom.run_colour(run.index);
      for (const { place, force } of arrows[at]) {
        const [tail, tip] = [to(place), to(place.map((x, k) => x + scale * force[k]))];
        if (tail && tip) carom.paint_arrow(ctx, tail, [tip[0] - tail[0], tip[1] - tail[1]], colour);
      }
    }

    function paint() {
      if (width === 0) return;
      ctx.clearRect(0, 0, width, height);
      const first = film.movers.find(({ run }) => state.visible[run.index]) ?? film.movers[0];
      const shown = film.movers.map((mover) => part_of(mover, mover === first));
      const along = viewpoint.along(first.motion.at(state.time), state.time);
      const camera = orbit.aim(width, height, along);
      const frame = {
        camera,
        size: [width, height],
        ratio: window.devicePixelRatio || 1,
        pixel: (2 * Math.tan(viewpoint.opening / 2)) / height,
        middle: viewpoint.middle.clone().add(along),
        moved,
        shown,
      };
      ctx.save();
      painter().paint(ctx, frame);
      moved = false;
      const to = make_projection(camera, width, height);
      for (const one of shown.filter(Boolean).reverse()) {
        if (switches.forces) paint_pushes(one, to);
        carom.paint_rings(ctx, one.run, alone, words, to);
      }
      const front = shown.find(Boolean);
      if (switches.labels && front) paint_names(ctx, scene, front.matrices, to, camera);
      paint_axes(ctx, camera, height);
      ctx.restore();
      words.write();
    }

    function paint_anew() {
      moved = true;
      paint();
    }

    /** For the camera, which may be moved more often than there are pictures. */
    function ask_for_paint() {
      if (asked) return;
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        paint();
      });
    }

    function dress() {
      light?.dress();
      paint_anew();
    }

    const flip = (name) => {
      switches[name] = !switches[name];
      tools.show();
      paint_anew();
    };
    const offered = [
      ['forces', 'Forces', has_forces],
      ['trails', 'Trails', scene.trails.length > 0],
      ['labels', 'Labels', scene.movers.length > 0],
    ].filter(([, , there]) => there);
    const tools = make_tools(offered, switches, flip, orbit.reset);

    light?.dress();
    carom.watch_width(host, resize);
    for (const name of ['time', 'visible', 'speed']) state.on(name, paint_anew);
    state.on('theme', dress);
    words.describe(canvas, 'The bodies in space');
    const remarks = light ? [] : ['This browser shows no WebGL: bodies are drawn plainly, as a still picture would be.'];
    return {
      canvas,
      tools: tools.bar,
      keys: make_keys(orbit, offered, flip),
      complaints: scene.complaints,
      follows: viewpoint.follows,
      remarks,
      orbit,
    };
  }

  /** Switches below the controls. */
  function make_tools(offered, switches, flip, reset) {
    const buttons = offered.map(([name, label]) => ({
      name,
      button: element('button', { type: 'button', id: 'show-' + name, onclick: () => flip(name) }, label),
    }));
    const back = element('button', { type: 'button', id: 'reset-view', title: 'The view as it was (r)', onclick: reset }, 'Reset view');
    const bar = element('div', { class: 'space-tools' }, ...buttons.map(({ button }) => button), back);
    function show() {
      for (const { name, button } of buttons) button.setAttribute('aria-pressed', String(switches[name]));
    }
    show();
    return { bar, show };
  }

  function make_keys(orbit, offered, flip) {
    const step = 0.12;
    const actions = {
      a: () => orbit.turn(-step, 0),
      d: () => orbit.turn(step, 0),
      w: () => orbit.turn(0, step),
      s: () => orbit.turn(0, -step),
      i: () => orbit.zoom(0.87),
      o: () => orbit.zoom(1.15),
      r: () => orbit.reset(),
    };
    const list = [
      ['a d w s', 'turn the view; also by dragging'],
      ['i o', 'nearer or farther; also by the wheel, after a click'],
      ['r', 'the view as it was'],
    ];
    for (const [name, label] of offered) {
      actions[name[0]] = () => flip(name);
      list.push([name[0], `show ${label.toLowerCase()} or not`]);
    }
    return { list, actions };
  }

  Object.assign(carom, { make_space_stage, link_ends });
})((window.carom ??= {}));
