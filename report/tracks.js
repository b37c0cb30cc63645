/** What moves when a system has no drawing: every coordinate as a dot on a line of its own. */
(function (carom) {
  'use strict';

  const row_height = 34,
    top = 34,
    most_letters = 14;

  /** The height that `rows` lines need. */
  function tracks_height(rows) {
    return Math.max(1, rows) * row_height + top + 12;
  }

  /** Smallest and largest value of each coordinate over all motions. */
  function coordinate_ranges(motions, count) {
    const ranges = Array.from({ length: count }, () => [Infinity, -Infinity]);
    for (const motion of motions) {
      for (let i = 0; i <= 400; ++i) {
        motion.at(motion.start + ((motion.end - motion.start) * i) / 400).forEach((x, k) => {
          if (!ranges[k]) return;
          ranges[k][0] = Math.min(ranges[k][0], x);
          ranges[k][1] = Math.max(ranges[k][1], x);
        });
      }
    }
    return ranges.map(([low, high]) =>
      low < high ? [low, high] : Number.isFinite(low) ? [low - 1, low + 1] : [-1, 1],
    );
  }

  const shortened = (name) => (name.length > most_letters ? name.slice(0, most_letters - 1) + '…' : name);

  /** Lines with names and ranges, on which the dots will move. */
  function make_tracks(names, ranges, width, font) {
    const left = 16 + Math.max(...names.map((name) => 7.5 * shortened(name).length), 20);
    const numbers = width > 420 ? 70 : 56;
    const [start, end] = [left + numbers, width - numbers - 12];
    const y_of = (row) => top + (row + 0.5) * row_height;
    const x_of = (row, value) =>
      start + ((value - ranges[row][0]) / (ranges[row][1] - ranges[row][0])) * (end - start);

    function paint_lines(ctx) {
      names.forEach((name, row) => {
        const y = y_of(row);
        ctx.strokeStyle = carom.colour('line');
        ctx.lineWidth = 1;
        ctx.beginPath();
        ctx.moveTo(start, y);
        ctx.lineTo(end, y);
        ctx.stroke();
        ctx.textBaseline = 'middle';
        ctx.font = '13px ' + font;
        ctx.fillStyle = carom.colour('ink');
        ctx.textAlign = 'left';
        ctx.fillText(shortened(name), 12, y);
        ctx.font = '11px ' + font;
        ctx.fillStyle = carom.colour('muted');
        ctx.textAlign = 'right';
        ctx.fillText(carom.format.number(ranges[row][0], 3), start - 10, y);
        ctx.textAlign = 'left';
        ctx.fillText(carom.format.number(ranges[row][1], 3), end + 10, y);
      });
    }

    function paint_dots(ctx, motion, t, span, colour_name, alpha) {
      const pieces = 12,
        from = Math.max(motion.start, t - span);
      for (let i = 0; i <= pieces; ++i) {
        const newest = i === pieces;
        ctx.fillStyle = carom.faded(colour_name, alpha * (newest ? 1 : (0.25 * i) / pieces));
        motion.at(from + ((t - from) * i) / pieces).forEach((value, row) => {
          if (row >= names.length) return;
          ctx.beginPath();
          ctx.arc(x_of(row, value), y_of(row), newest ? 6 : 3.5, 0, 2 * Math.PI);
          ctx.fill();
        });
      }
    }

    return { paint_lines, paint_dots };
  }

  Object.assign(carom, { tracks_height, coordinate_ranges, make_tracks });
})((window.carom ??= {}));
