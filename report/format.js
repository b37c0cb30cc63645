/**
 * Numbers as text. One style for the whole page: 0.0123 stays, 0.00123 becomes 1.2·10⁻³, 123456 becomes 123 456.
 * Text for screen readers (`spoken`) keeps to the letters that they read well: 1.2e-3.
 */
(function (carom) {
  'use strict';

  const superscripts = { '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' };
  const minus = '−';
  const narrow_space = '\u202f';

  /** True for numbers that can be drawn and compared. */
  function is_number(x) {
    return typeof x === 'number' && Number.isFinite(x);
  }

  /** 10 to a whole power, as text: 10⁻³. */
  function power_of_ten(exponent) {
    return '10' + String(exponent).replace(/[-0-9]/g, (sign) => superscripts[sign]);
  }

  /** Digits in groups of three, from 10 000 on. */
  function grouped(text) {
    const [whole, rest] = text.split('.');
    const parts = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, narrow_space) : whole;
    return rest ? parts + '.' + rest : parts;
  }

  /**
   * A measured number with `digits` significant digits; a dash for what does not apply.
   * @param {?number} x
   * @param {number} [digits]
   */
  function number(x, digits = 2) {
    if (!is_number(x)) return '–';
    if (x === 0) return '0';
    const sign = x < 0 ? minus : '';
    const [mantissa, exponent] = Math.abs(x)
      .toExponential(digits - 1)
      .split('e');
    const e = Number(exponent);
    if (e < -2 || e >= 6) return sign + mantissa + '·' + power_of_ten(e);
    const decimals = Math.max(0, digits - 1 - e);
    return sign + grouped(Math.abs(x).toFixed(decimals));
  }

  /** A number that somebody chose (a step, an end time): as many digits as it has, without trailing zeros. */
  function exact(x) {
    if (!is_number(x)) return '–';
    const magnitude = Math.abs(x);
    if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e9)) {
      const [mantissa, exponent] = Number(x.toPrecision(6)).toExponential().split('e');
      const factor = mantissa === '1' ? '' : mantissa.replace('-', minus) + '·';
      return factor + power_of_ten(Number(exponent));
    }
    return (x < 0 ? minus : '') + grouped(String(Number(magnitude.toPrecision(8))));
  }

  /** "h = 0.01", which does not break over a line. */
  function equation(name, x) {
    return `${name}\u00a0=\u00a0${exact(x)}`;
  }

  /** The same number with fewer digits, for `exact`. */
  function rounded(x, digits) {
    return is_number(x) ? Number(x.toPrecision(digits)) : null;
  }

  /** How many there are. */
  function count(n) {
    return is_number(n) ? grouped(String(Math.round(n))) : '–';
  }

  /** "1 impact", "2 impacts". */
  function counted(n, noun) {
    return count(n) + ' ' + noun + (n === 1 ? '' : 's');
  }

  /** A time with a fixed number of decimals, so that a running clock does not jitter. */
  function time(t, decimals) {
    return is_number(t) ? (t < 0 ? minus : '') + Math.abs(t).toFixed(decimals) : '–';
  }

  /** Decimals that tell apart times `dt` apart. */
  function decimals_for(dt) {
    return is_number(dt) && dt > 0 ? Math.min(8, Math.max(0, Math.ceil(-Math.log10(dt) - 1e-9))) : 2;
  }

  /** Seconds of computing, in the unit that fits. */
  function seconds(s) {
    if (!is_number(s)) return '–';
    if (s > 0 && s < 1e-3) return number(s * 1e6) + ' µs';
    if (s > 0 && s < 1) return number(s * 1e3) + ' ms';
    return s < 100 ? number(s) + ' s' : count(s) + ' s';
  }

  /** For aria-label. */
  function spoken(x) {
    if (!is_number(x)) return 'none';
    const short = Number(x.toPrecision(3));
    const magnitude = Math.abs(short);
    return magnitude !== 0 && (magnitude < 1e-2 || magnitude >= 1e6) ? short.toExponential() : String(short);
  }

  Object.assign(carom, {
    format: {
      is_number,
      number,
      exact,
      rounded,
      equation,
      count,
      counted,
      time,
      decimals_for,
      seconds,
      spoken,
      power_of_ten,
      minus,
    },
  });
})((window.carom ??= {}));
