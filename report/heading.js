/** Words: the title and what it is about, what went wrong, and the details at the end. */
(function (carom) {
  'use strict';

  const { element, format } = carom;

  /** "15 000 steps of h = 0.01 to t = 150" */
  function steps_in_words(summary) {
    const { steps, step, end } = summary.time ?? {};
    if (![steps, step, end].every(format.is_number)) return null;
    const until = format.equation('t', format.rounded(end, 6));
    return `${format.counted(steps, 'step')} of ${format.equation('h', step)} to ${until}`;
  }

  function sentence(report) {
    const { runs, system, kind } = report;
    if (kind === 'converge') {
      const methods = report.convergence?.series.length ?? 0;
      return [
        `How the error of ${format.counted(methods, 'method')} falls with the step, on the system `,
        element('code', {}, system),
        '.',
      ];
    }
    if (report.results) return [carom.result_words[kind] ?? 'The system ', element('code', {}, system), '.'];
    if (report.sweep) {
      const keys = [...report.sweep.axes.map((axis) => axis.label), ...report.sweep.drawn];
      return ['The system ', element('code', {}, system), ` for many values of ${keys.join(', ')}.`];
    }
    if (runs.length === 0) return ['There are no runs to show.'];
    if (runs.length > 1) {
      const steps = new Set(runs.map((run) => steps_in_words(run.summary)));
      const step = runs[0].summary.time?.step;
      const same_step = format.is_number(step) && runs.every((run) => run.summary.time?.step === step);
      const what =
        steps.size === 1 && same_step ? `${[...steps][0]} each` : same_step ? format.equation('h', step) : null;
      return ['The system ', element('code', {}, system), ` by ${runs.length} methods${what ? ', ' + what : ''}.`];
    }
    const [run] = runs;
    const parts = [steps_in_words(run.summary), impacts_in_words(run)].filter(Boolean);
    return ['The system ', element('code', {}, system), `: ${parts.join(', ')}.`];
  }

  /** "12 impacts", and what they took where they take something. */
  function impacts_in_words(run) {
    const count = run.row.impacts ?? run.impacts.count;
    const impacts = format.counted(count, 'impact');
    const { initial, loss, lossy } = run.summary.energy ?? {};
    if (!lossy || !count || !format.is_number(loss)) return impacts;
    const whole = format.equation('H(0)', format.rounded(initial, 4));
    return `${impacts} that took an energy of ${format.number(loss, 3)} (${whole})`;
  }

  /** What the method is, for those who did not choose it; a comparison has it in its table. */
  function method_words({ runs }) {
    const words = runs.length === 1 ? runs[0].method_in_words || runs[0].method : '';
    return words ? [element('p', { class: 'method' }, capital(words) + '.')] : [];
  }

  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

  /** A visible word for each run that did not go through, and for each warning. */
  function notices(report) {
    const named = (run, text) => (report.runs.length > 1 ? `${run.label}: ${text}` : text);
    const ended = { failed: 'The run failed', stopped: 'The run was stopped' };
    return report.runs.flatMap((run) => [
      ...(run.status === 'completed'
        ? []
        : [
            element(
              'p',
              { class: 'notice ' + (run.status === 'failed' ? 'alarm' : 'caution'), role: 'note' },
              element('strong', {}, named(run, (ended[run.status] ?? run.status) + '. ')),
              run.reason ?? '',
            ),
          ]),
      ...run.warnings.map((text) =>
        element('p', { class: 'notice caution', role: 'note' }, element('strong', {}, 'Warning. '), named(run, text)),
      ),
    ]);
  }

  /** Where members of a sweep did not go through. */
  function sweep_notices(sweep) {
    const [first] = sweep?.failures ?? [];
    if (!first) return [];
    const count = (sweep.members.refused ?? 0) + (sweep.members.failed ?? 0);
    const words = `${format.counted(count, 'run')} did not complete. `;
    return [
      element(
        'p',
        { class: 'notice caution', role: 'note' },
        element('strong', {}, words),
        `The first is number ${first.member}: ${first.reason}`,
      ),
    ];
  }

  function write_heading(header, report) {
    document.title = report.title + ' – carom';
    header.append(
      element('h1', {}, report.title),
      element('p', { class: 'lead' }, sentence(report)),
      ...method_words(report),
      ...notices(report),
      ...sweep_notices(report.sweep),
    );
  }

  function cost_in_words(report) {
    return report.runs
      .filter((run) => run.summary.cost)
      .map((run) => {
        const { wall_seconds, steps_per_second, newton_iterations, impact_solves, fallbacks } = run.summary.cost;
        const parts = [format.seconds(wall_seconds)];
        if (format.is_number(steps_per_second)) parts.push(`${format.number(steps_per_second)} steps per second`);
        if (newton_iterations) parts.push(format.counted(newton_iterations, 'Newton iteration'));
        if (impact_solves) parts.push(format.counted(impact_solves, 'impact solve'));
        if (fallbacks) parts.push(format.counted(fallbacks, 'fallback'));
        return (report.runs.length > 1 ? run.label + ': ' : '') + parts.join(', ');
      });
  }

  function write_details(section, report) {
    const command = report.command ? [element('code', {}, report.command)] : [];
    const version = [report.version && `carom ${report.version}`, report.git && `revision ${report.git}`]
      .filter(Boolean)
      .join(', ');
    const rows = [
      ['Made by', command],
      ['Version', [version]],
      ['Machine', [report.machine]],
      ['Cost', cost_in_words(report)],
      ['Written', [report.created]],
    ].filter(([, values]) => values.some(Boolean));
    const list = element(
      'dl',
      {},
      rows.flatMap(([name, values]) => [element('dt', {}, name), ...values.map((value) => element('dd', {}, value))]),
    );
    section.append(element('h2', {}, 'Details'), list);
    if (report.scenario) {
      section.append(
        element('h3', { id: 'scenario-title' }, report.sweep ? 'Sweep' : 'Scenario'),
        element('pre', { tabindex: 0, 'aria-labelledby': 'scenario-title' }, report.scenario),
      );
    }
  }

  Object.assign(carom, { write_heading, write_details });
})((window.carom ??= {}));
