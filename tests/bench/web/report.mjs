// Tables of what was measured: ratios first.

/** rows: [{ name, medians }] as `measure` gives them. */
export function comparison(rows) {
  const variants = ['simd', 'relaxed'].filter((variant) => rows.some(({ medians }) => medians[variant]));
  const header = [
    'workload',
    ...variants.flatMap((variant) => [`${variant} / JS`, `${variant} / ORT`]),
    ...variants,
    'JS',
    'ORT-web',
  ];
  return table(header, rows, ({ medians }) => [
    ...variants.flatMap((variant) => [
      ratio(medians.base, medians[variant]),
      medians.ort ? ratio(medians.ort, medians[variant]) : '–',
    ]),
    ...variants.map((variant) => duration(medians[variant])),
    duration(medians.base),
    medians.ort ? duration(medians.ort) : '–',
  ]);
}

/** How much longer a call takes with a feature. */
export function costs(rows) {
  const variants = ['simd', 'relaxed'].filter((variant) => rows.some(({ medians }) => medians[variant]));
  return table(['workload', ...variants.map((variant) => `${variant} / without`)], rows, ({ medians }) =>
    variants.map((variant) => `×${(medians[variant] / medians[`base ${variant}`]).toFixed(2)}`),
  );
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
  if (theirs === Infinity) return '–';
  const times = theirs / ours;
  return `×${times < 9.95 ? times.toFixed(1) : times.toFixed(0)}`;
}

function duration(seconds) {
  if (seconds === Infinity) return 'fails';
  const [value, unit] = seconds < 1e-3 ? [seconds * 1e6, 'µs'] : seconds < 1 ? [seconds * 1e3, 'ms'] : [seconds, 's'];
  return `${Number(value.toPrecision(3))} ${unit}`;
}
