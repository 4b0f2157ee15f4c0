// Tables of what was measured: ratios first.

/** rows: [{ name, taken }] as `measure` gives them. Nothing where nothing was measured. */
export function comparison(rows) {
  if (rows.length === 0) return '';
  const variants = variantsOf(rows);
  const header = [
    'workload',
    ...variants.flatMap((variant) => [`${variant} / JS`, `${variant} / ORT`]),
    'of limit',
    ...variants,
    'JS',
    'ORT-web',
  ];
  const cells = table(header, rows, ({ taken }) => [
    ...variants.flatMap((variant) => [ratio(taken.base, taken[variant]), ratio(taken.ort, taken[variant])]),
    share(taken.limit, taken.simd),
    ...[...variants, 'base', 'ort'].map((contender) => duration(taken[contender])),
  ]);
  const isOnce = rows.some(({ taken }) => Object.values(taken).some(({ runs }) => runs === 1));
  return isOnce ? `${cells}\n\n¹ measured once; all else are medians of rounds, of 15 where they were short.` : cells;
}

/** What wllama took, in words, since it computes more than the workload. */
export function besides(rows) {
  return rows
    .filter(({ taken }) => taken.wllama)
    .map(({ name, taken }) => {
      const ratios = variantsOf(rows).map((variant) => `${ratio(taken.wllama, taken[variant])} of ${variant}`);
      return (
        `${name}: wllama takes ${duration(taken.wllama)} to read a prompt of that length through one layer with such a ` +
        `head, ${ratios.join(' and ')}; all but attention is a few hundredths of its arithmetic.`
      );
    })
    .join('\n\n');
}

/** How much longer a call takes with a feature. Nothing likewise. */
export function costs(rows) {
  if (rows.length === 0) return '';
  const variants = variantsOf(rows);
  return table(['workload', ...variants.map((variant) => `${variant} / without`)], rows, ({ taken }) =>
    variants.map((variant) => `×${(taken[variant].seconds / taken[`base ${variant}`].seconds).toFixed(2)}`),
  );
}

function variantsOf(rows) {
  return ['simd', 'relaxed'].filter((variant) => rows.some(({ taken }) => taken[variant]));
}

function table(header, rows, cellsOf) {
  const cells = [header, ...rows.map((row) => [row.name, ...cellsOf(row)])];
  const widths = header.map((_, i) => Math.max(...cells.map((row) => row[i].length)));
  const line = (row) =>
    `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(' | ')} |`;
  const rule = line(widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)));
  return [line(cells[0]), rule, ...cells.slice(1).map(line)].join('\n');
}

function ratio(theirs, ours) {
  if (theirs === undefined || theirs.seconds === Infinity) return '–';
  const times = theirs.seconds / ours.seconds;
  return `×${times < 9.95 ? times.toFixed(1) : times.toFixed(0)}`;
}

function share(limit, ours) {
  return limit === undefined ? '–' : `${((100 * limit.seconds) / ours.seconds).toFixed(0)} %`;
}

function duration(taken) {
  if (taken === undefined) return '–';
  const { seconds, runs } = taken;
  if (seconds === Infinity) return 'fails';
  const [value, unit] = seconds < 1e-3 ? [seconds * 1e6, 'µs'] : seconds < 1 ? [seconds * 1e3, 'ms'] : [seconds, 's'];
  return `${Number(value.toPrecision(3))} ${unit}${runs === 1 ? ' ¹' : ''}`;
}
