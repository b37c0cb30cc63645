/**
 * One plot over time. A click moves the animation there; dragging zooms, or moves the animation when it starts on the
 * time line or with shift held; a double click shows everything again.
 */
(function (carom) {
  'use strict';

  const usual_height = 226;
  const grab = 7;

  /** Below zero a gap is no gap: shaded. */
  function shade_below_zero(u) {
    const zero = Math.round(u.valToPos(0, 'y', true));
    const bottom = u.bbox.top + u.bbox.height;
    if (zero >= bottom) return;
    u.ctx.fillStyle = carom.faded('alarm', 0.08);
    u.ctx.fillRect(u.bbox.left, zero, u.bbox.width, bottom - zero);
  }

  function draw_zero(u) {
    const y = Math.round(u.valToPos(0, 'y', true)) + 0.5;
    if (y < u.bbox.top || y > u.bbox.top + u.bbox.height) return;
    u.ctx.fillStyle = carom.colour('axis');
    u.ctx.fillRect(u.bbox.left, y - 0.5, u.bbox.width, Math.max(1, uPlot.pxRatio));
  }

  /** What the mouse does in a plot. `pressed` comes before uPlot's own listener. */
  function make_mouse(state, actions) {
    let u = null;
    let pressed_at = null;
    let time_before = null;
    const left_of = (event) => event.clientX - u.over.getBoundingClientRect().left;
    const on_line = (event) => actions.seek && Math.abs(u.valToPos(state.time, 'x') - left_of(event)) <= grab;
    const seek = (event) => actions.seek(u.posToVal(left_of(event), 'x'));

    /** True where uPlot shall not see it: another button, or the time line is being dragged. */
    function pressed(event) {
      if (event.button !== 0) return true;
      pressed_at = [event.clientX, event.clientY];
      if (event.detail === 1) time_before = state.time;
      if (!actions.seek || !(event.shiftKey || on_line(event))) return false;
      if (event.shiftKey) seek(event);
      document.addEventListener('mousemove', seek);
      document.addEventListener('mouseup', () => document.removeEventListener('mousemove', seek), { once: true });
      return true;
    }

    function clicked(event) {
      if (!actions.seek || !pressed_at || event.detail > 1 || event.shiftKey) return;
      if (Math.hypot(event.clientX - pressed_at[0], event.clientY - pressed_at[1]) < 5) seek(event);
    }

    /** Everything is shown again, and the first of the two clicks is undone. */
    function double_clicked() {
      actions.reset();
      if (actions.seek && time_before !== null) actions.seek(time_before);
    }

    function listen(plot) {
      u = plot;
      u.over.addEventListener('click', clicked);
      u.over.addEventListener('mousemove', (event) => u.over.classList.toggle('grab', Boolean(on_line(event))));
      u.over.addEventListener('mouseenter', () => actions.tip.enter(u));
      u.over.addEventListener('mouseleave', () => actions.tip.leave(u));
    }

    return { pressed, double_clicked, listen };
  }

  /** uPlot's cursor: a line that all plots share, dragging that selects, and nothing else. */
  function cursor_options(mouse) {
    const shared = (type) => type === 'mousemove' || type === 'mouseleave';
    return {
      y: false,
      points: { show: false },
      drag: { x: true, y: false, setScale: false, dist: 5 },
      sync: { key: 'carom', setSeries: false, scales: ['x', null], filters: { pub: shared } },
      bind: {
        mousedown: (_, over, handler) => (event) => mouse.pressed(event) || handler(event),
        dblclick: () => mouse.double_clicked,
      },
    };
  }

  /**
   * @param {HTMLElement} host
   * @param {{lines: object[], log: boolean, range: function, shaded: boolean, span: number[], height: number, axis: object,
   *   paint: function(object, function)}} spec the last three where they are not the usual ones;
   *   each line has label, colour, t, y and the run or component it belongs to
   * @param {{seek: ?function(number), zoomed: function(number, number), reset: function(), tip: object}} actions
   */
  function make_time_plot(host, spec, state, actions) {
    const lines = [...spec.lines].reverse(); // the first is drawn last, on top
    const [start, end] = spec.span;
    const height = spec.height ?? usual_height;
    const { data, series, bands, column_of } = carom.arrange_lines(lines, spec.log);
    const mouse = make_mouse(state, actions);
    const time_line = carom.element('div', { class: 'time-line' });
    let u = null;

    /** What the plan draws itself, and nothing of it outside the axes. */
    function paint_inside(plot) {
      const { ctx, bbox } = plot;
      ctx.save();
      ctx.beginPath();
      ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
      ctx.clip();
      spec.paint(plot, spec.is_shown);
      ctx.restore();
    }

    function show_time() {
      const left = u.valToPos(state.time, 'x');
      time_line.hidden = !actions.seek || !(left >= -0.5 && left <= u.over.clientWidth + 0.5);
      time_line.style.transform = `translateX(${left}px)`;
    }

    /** The zoom is the page's, not the plot's: it comes back by show_zoom. */
    function zoom_to_selection() {
      const { left, width } = u.select;
      if (width < 3) return;
      u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      actions.zoomed(Math.max(start, u.posToVal(left, 'x')), Math.min(end, u.posToVal(left + width, 'x')));
    }

    function show_zoom() {
      const [low, high] = state.zoom ?? spec.span;
      u.setScale('x', { min: low, max: high });
      requestAnimationFrame(show_time);
    }

    function show_lines(is_shown) {
      const columns_of = (i) => Object.values(column_of[i]).filter((column) => column !== null);
      u.batch(() =>
        lines.forEach((line, i) => columns_of(i).forEach((column) => u.setSeries(column, { show: is_shown(line) }))),
      );
    }

    const options = {
      width: Math.max(120, host.clientWidth),
      height,
      ms: 1,
      padding: [24, 14, 0, 0],
      legend: { show: false },
      scales: {
        x: { time: false, auto: false, min: start, max: end, range: (_, low, high) => [low, high] },
        y: { distr: spec.log ? 3 : 1, range: spec.range(column_of.map((columns) => columns.y)) },
      },
      axes: [carom.time_axis(), spec.axis ?? carom.value_axis(spec.log)],
      series,
      bands,
      cursor: cursor_options(mouse),
      hooks: {
        drawClear: spec.shaded ? [shade_below_zero] : [],
        draw: spec.paint ? [paint_inside] : [...(spec.log ? [] : [draw_zero]), carom.draw_exponent],
        setSelect: [zoom_to_selection],
        setSize: [() => u && show_time()],
        setCursor: [() => u && actions.tip.update(u, spec)],
      },
    };
    u = new uPlot(options, data, host);
    u.over.append(time_line);
    mouse.listen(u);
    const resize = (width) => u.setSize({ width, height });
    return {
      u,
      show_time,
      show_zoom,
      show_lines,
      resize,
      redraw: () => u.redraw(false, true),
      destroy: () => u.destroy(),
    };
  }

  Object.assign(carom, { make_time_plot });
})((window.carom ??= {}));
