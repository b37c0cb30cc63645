/**
 * One plot over time. A click moves the animation there; dragging zooms, or moves the animation when it starts on the
 * time line or with shift held; a double click shows everything again.
 */
(function (carom) {
  'use strict';

  const height = 226,
    grab = 7;

  /** Same times, same table; uPlot.join then merges tables with different times. */
  function tabulate(lines, log) {
    const tables = new Map();
    const places = lines.map((line) => {
      if (!tables.has(line.t)) tables.set(line.t, [line.t]);
      const table = tables.get(line.t);
      const columns = log ? [magnitudes(line)] : line.high ? [line.high, line.low, line.y] : [line.y];
      table.push(...columns);
      line.drawn = columns.at(-1);
      return { line, table, columns };
    });
    const merged = [...tables.values()];
    const data = merged.length === 1 ? merged[0] : uPlot.join(merged);
    const first_of = new Map();
    let next = 1;
    for (const table of merged) {
      first_of.set(table, next);
      next += table.length - 1;
    }
    const column_of = places.map(({ table, columns }) => {
      const first = first_of.get(table) + table.indexOf(columns[0]) - 1;
      return {
        y: first + columns.length - 1,
        high: columns.length > 1 ? first : null,
        low: columns.length > 1 ? first + 1 : null,
      };
    });
    return { data, column_of };
  }

  /** What a logarithmic plot shows: the absolute value, the largest of a stretch where its extremes are known. */
  function magnitudes({ y, low, high }) {
    return y.map((x, i) => Math.max(Math.abs(x ?? 0), Math.abs(low?.[i] ?? 0), Math.abs(high?.[i] ?? 0)) || null);
  }

  /** How often a line runs over its whole height. With more than some 80 times in view only its outline can be seen. */
  function count_sweeps(y) {
    let way = 0,
      low = Infinity,
      high = -Infinity;
    for (let i = 0; i < y.length; ++i) {
      if (i > 0) way += Math.abs(y[i] - y[i - 1]);
      [low, high] = [Math.min(low, y[i]), Math.max(high, y[i])];
    }
    return high > low ? way / (high - low) : 0;
  }

  /** Vertical lines from zero, for events. */
  function stems(u, index, from, to) {
    const path = new Path2D();
    uPlot.orient(u, index, (series, x, y, scale_x, scale_y, to_x, to_y, left, top, wide, tall) => {
      const zero = to_y(0, scale_y, tall, top);
      for (let i = from; i <= to; ++i) {
        if (y[i] == null) continue;
        const at = to_x(x[i], scale_x, wide, left);
        path.moveTo(at, zero);
        path.lineTo(at, to_y(y[i], scale_y, tall, top));
      }
    });
    return { stroke: path, fill: null, clip: null, band: null, gaps: null, flags: 3 };
  }

  function series_options(lines, column_of, data, [start, end]) {
    const series = data.map(() => ({}));
    const band_list = [];
    lines.forEach((line, i) => {
      const { y, high, low } = column_of[i];
      const events = line.kind === 'events';
      const many = events && line.y.length > 250;
      const sweeps = events ? 0 : count_sweeps(line.y) / (end - start);
      const is_dense = (u) => sweeps * (u.scales.x.max - u.scales.x.min) > 80;
      series[y] = {
        label: line.label,
        scale: 'y',
        width: events ? 1 : 1.5,
        dash: line.dash,
        spanGaps: false,
        stroke: (u) => carom.faded(line.colour, events ? 0.45 : is_dense(u) ? 0.65 : 1),
        ...(events ? { paths: many ? () => null : stems } : {}),
        points: {
          show: events || line.y.length === 1,
          size: many ? 3 : 5,
          width: 0,
          fill: () => carom.colour(line.colour),
        },
      };
      if (high === null) return;
      for (const edge of [high, low])
        series[edge] = { scale: 'y', width: 0, stroke: () => 'transparent', points: { show: false } };
      band_list.push({ series: [high, low], fill: () => carom.faded(line.colour, 0.18) });
    });
    return { series, band_list };
  }

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

  /**
   * @param {HTMLElement} host
   * @param {{lines: object[], log: boolean, range: function, shaded: boolean, span: number[]}} spec
   *   each line has label, colour, t, y and the run or component it belongs to
   * @param {{seek: ?(t: number) => void, zoomed: (low: number, high: number) => void, reset: () => void, tip: object}} actions
   */
  function make_time_plot(host, spec, state, actions) {
    const lines = [...spec.lines].reverse(); // the first is drawn last, on top
    const { data, column_of } = tabulate(lines, spec.log);
    const { series, band_list } = series_options(lines, column_of, data, spec.span);
    const [start, end] = spec.span;
    const time_line = carom.element('div', { class: 'time-line' });
    let ready = false;

    const u = new uPlot(
      {
        width: Math.max(120, host.clientWidth),
        height,
        ms: 1,
        padding: [24, 14, 0, 0],
        legend: { show: false },
        scales: {
          x: { time: false, auto: false, min: start, max: end, range: (_, low, high) => [low, high] },
          y: { distr: spec.log ? 3 : 1, range: spec.range(column_of.map((columns) => columns.y)) },
        },
        axes: [carom.time_axis(), carom.value_axis(spec.log)],
        series,
        bands: band_list,
        cursor: {
          y: false,
          sync: { key: 'carom', setSeries: false, scales: ['x', null] },
          drag: { x: true, y: false, setScale: false, dist: 5 },
          points: { show: false },
          bind: {
            mousedown: (_, over, handler) => (event) => pressed(event) || handler(event),
            dblclick: () => () => actions.reset(),
          },
        },
        hooks: {
          drawClear: spec.shaded ? [shade_below_zero] : [],
          draw: [...(spec.log ? [] : [draw_zero]), carom.draw_exponent],
          setSelect: [zoom_to_selection],
          setSize: [() => ready && show_time()],
          setCursor: [() => ready && actions.tip.update(u, spec)],
        },
      },
      data,
      host,
    );
    u.over.append(time_line);
    ready = true;

    const time_at = (event) => u.posToVal(event.clientX - u.over.getBoundingClientRect().left, 'x');
    const on_line = (event) =>
      Math.abs(u.valToPos(state.time, 'x') - (event.clientX - u.over.getBoundingClientRect().left)) <= grab;
    let pressed_at = null,
      time_before = null;

    /** Takes over when the time line is dragged; otherwise leaves the event to uPlot. */
    function pressed(event) {
      if (event.button !== 0) return true;
      pressed_at = [event.clientX, event.clientY];
      if (event.detail === 1) time_before = state.time;
      if (!actions.seek || !(event.shiftKey || on_line(event))) return false;
      const move = (moved) => actions.seek(time_at(moved));
      if (event.shiftKey) move(event);
      document.addEventListener('mousemove', move);
      document.addEventListener('mouseup', () => document.removeEventListener('mousemove', move), { once: true });
      return true;
    }

    u.over.addEventListener('click', (event) => {
      if (!actions.seek || !pressed_at || event.detail > 1 || event.shiftKey) return;
      if (Math.hypot(event.clientX - pressed_at[0], event.clientY - pressed_at[1]) < 5) actions.seek(time_at(event));
    });
    u.over.addEventListener('dblclick', () => actions.seek && time_before !== null && actions.seek(time_before));
    u.over.addEventListener('mousemove', (event) =>
      u.over.classList.toggle('grab', Boolean(actions.seek) && on_line(event)),
    );
    u.over.addEventListener('mouseenter', () => actions.tip.enter(u));
    u.over.addEventListener('mouseleave', () => actions.tip.leave(u));

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
      u.batch(() =>
        lines.forEach((line, i) => {
          for (const column of Object.values(column_of[i]))
            if (column !== null) u.setSeries(column, { show: Boolean(is_shown(line)) });
        }),
      );
    }

    return {
      u,
      show_time,
      show_zoom,
      show_lines,
      redraw: () => u.redraw(false, true),
      resize: (width) => u.setSize({ width, height }),
      destroy: () => u.destroy(),
    };
  }

  Object.assign(carom, { make_time_plot });
})((window.carom ??= {}));
