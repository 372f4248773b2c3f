import type { Row } from './result.ts';
import type { Spread } from './statistics.ts';

const HEADINGS = ['name', 'size', 'rate', '±', 'p50', 'p99', 'cpu', 'floor', 'ratio', 'goal', 'met?'];

/** The rows as an aligned table, followed by the notes. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.name,
    row.size,
    row.heddle.rate === null ? '' : `${figure(row.heddle.rate.median)} ${row.unit}`,
    row.heddle.rate === null ? '' : deviation(row.heddle.rate),
    latency(row.heddle.p50),
    latency(row.heddle.p99),
    processorTime(row.heddle.cpu),
    floorCell(row),
    row.ratio === null ? '' : row.ratio.toFixed(2),
    row.goal,
    row.met === null ? '' : row.met ? 'yes' : 'NO',
  ]);
  const lines = [HEADINGS, ...cells];
  const widths = HEADINGS.map((_, index) => Math.max(...lines.map((line) => (line[index] ?? '').length)));
  const drawn = lines.map((line) =>
    line
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  const notes = rows.flatMap((row) => row.notes.map((note) => `${row.name} ${row.size}: ${note}`));
  return [drawn[0], rule, ...drawn.slice(1), ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}

/** Three significant digits with thousands separators. */
function figure(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}

function latency(spread: Spread | null): string {
  return spread === null ? '' : `${figure(spread.median)} ms`;
}

function processorTime(spread: Spread | null): string {
  return spread === null ? '' : `${figure(spread.median)} µs`;
}

/** Half the distance between the extreme runs, relative to the median. */
function deviation(spread: Spread): string {
  if (spread.median === 0) return '';
  return `${Math.round((50 * (spread.most - spread.least)) / Math.abs(spread.median))} %`;
}

function floorCell({ floor, unit }: Row): string {
  if (floor === null) return '';
  const parts: string[] = [];
  if (floor.rate !== null) parts.push(`${figure(floor.rate.median)} ${unit}`);
  if (floor.p50 !== null) parts.push(latency(floor.p50));
  if (floor.p99 !== null) parts.push(latency(floor.p99));
  if (floor.cpu !== null) parts.push(processorTime(floor.cpu));
  return parts.join(' / ');
}
