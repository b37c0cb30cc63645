/**
 * The camera in somebody's hands. Dragging turns it, with shift or another button it goes along; the wheel comes nearer
 * once the picture has been clicked or with control held, so that it scrolls the page otherwise. On touch screens one
 * finger turns from side to side (up and down scrolls), two do all of it.
 */
(function (carom) {
  'use strict';

  const steepest = 1.5; // radians: at the zenith there is no up
  const nearest = 0.05;
  const furthest = 12;
  const slop = 4; // pixels that a hand trembles

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {object} viewpoint where it begins, `make_viewpoint`'s
   * @param {THREE.Vector3} up
   * @param {function(): void} changed
   */
  function make_orbit(canvas, viewpoint, up, changed) {
    const camera = new THREE.PerspectiveCamera((viewpoint.opening * 180) / Math.PI, 1, 0.1, 1);
    camera.up.copy(up);
    const start = () => ({
      azimuth: viewpoint.azimuth,
      height: viewpoint.height,
      zoom: 1,
      shift: new THREE.Vector3(),
    });
    let look = start();
    let fit = null;
    let fitted_for = 0;

    const limit = (x, low, high) => Math.min(Math.max(x, low), high);
    const distance = () => fit.distance * look.zoom;
    const directions = () => carom.look_directions(viewpoint, up, look.azimuth, look.height);

    /** The camera for a picture of this size, with the view gone along. */
    function aim(width, height, along) {
      const aspect = width / height;
      if (aspect !== fitted_for) {
        fit = carom.fitted_look(
          viewpoint,
          carom.look_directions(viewpoint, up, viewpoint.azimuth, viewpoint.height),
          aspect,
        );
        fitted_for = aspect;
      }
      const target = fit.target.clone().add(look.shift).add(along);
      camera.aspect = aspect;
      camera.position.copy(target).addScaledVector(directions().back, distance());
      camera.near = Math.max(distance() - 4 * viewpoint.size, 0.02 * distance());
      camera.far = distance() + 12 * viewpoint.size;
      camera.lookAt(target);
      camera.updateProjectionMatrix();
      camera.updateMatrixWorld();
      return camera;
    }

    function turn(sideways, upwards) {
      look.azimuth += sideways;
      look.height = limit(look.height + upwards, -steepest, steepest);
      changed();
    }

    function zoom(factor) {
      look.zoom = limit(look.zoom * factor, nearest, furthest);
      changed();
    }

    /** By pixels. */
    function move(dx, dy) {
      const scale = (2 * distance() * Math.tan(viewpoint.opening / 2)) / canvas.clientHeight;
      const { right, top } = directions();
      look.shift.addScaledVector(right, -dx * scale).addScaledVector(top, dy * scale);
      changed();
    }

    function reset() {
      look = start();
      changed();
    }

    const by_pixels = (dx, dy) => turn((-3.2 * dx) / canvas.clientHeight, (3.2 * dy) / canvas.clientHeight);
    listen(canvas, { by_pixels, move, zoom });
    return { camera, aim, turn, zoom, move, reset, look: () => look };
  }

  const middle_of = (a, b) => [(a.x + b.x) / 2, (a.y + b.y) / 2];

  /** Pointers and the wheel. A drag is no click. */
  function listen(canvas, { by_pixels, move, zoom }) {
    const held = new Map();
    let dragged = 0;

    function two(change) {
      const [a, b] = [...held.values()];
      const before = [middle_of(a, b), Math.hypot(a.x - b.x, a.y - b.y)];
      change();
      const after = [middle_of(a, b), Math.hypot(a.x - b.x, a.y - b.y)];
      if (before[1] > 0 && after[1] > 0) zoom(before[1] / after[1]);
      by_pixels(after[0][0] - before[0][0], after[0][1] - before[0][1]);
    }

    canvas.addEventListener('pointerdown', (event) => {
      if (held.size === 0) dragged = 0;
      held.set(event.pointerId, { x: event.clientX, y: event.clientY });
      canvas.setPointerCapture(event.pointerId);
      canvas.focus({ preventScroll: true });
    });
    canvas.addEventListener('pointermove', (event) => {
      const at = held.get(event.pointerId);
      if (!at) return;
      const [dx, dy] = [event.clientX - at.x, event.clientY - at.y];
      const go = () => Object.assign(at, { x: event.clientX, y: event.clientY });
      dragged += Math.hypot(dx, dy);
      if (dragged < slop && held.size === 1) return;
      if (held.size === 2) two(go);
      else {
        go();
        if (event.shiftKey || event.buttons & 6) move(dx, dy);
        else by_pixels(dx, dy);
      }
    });
    for (const name of ['pointerup', 'pointercancel'])
      canvas.addEventListener(name, (event) => held.delete(event.pointerId));
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('click', (event) => dragged >= slop && event.stopImmediatePropagation());
    canvas.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey && document.activeElement !== canvas) return;
        event.preventDefault();
        zoom(Math.exp((event.ctrlKey ? 0.01 : 0.0015) * event.deltaY * (event.deltaMode === 1 ? 20 : 1)));
      },
      { passive: false },
    );
    // What was clicked keeps the wheel until the pointer leaves.
    canvas.addEventListener('pointerleave', () => held.size === 0 && canvas.blur());
  }

  Object.assign(carom, { make_orbit });
})((window.carom ??= {}));
