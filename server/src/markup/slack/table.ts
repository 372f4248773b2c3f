/** Tables of Slack messages as mrkdwn (https://docs.slack.dev/reference/block-kit/blocks/table-block). */
import { literalLine } from './escapes.ts';
import { objectsOf, type SlackObject, textOf } from './objects.ts';
import { mrkdwnOfRichText } from './rich-text.ts';

/** Slack allows 100 rows of 20 cells. Further rows are counted, and further cells are left out. */
const MAX_ROWS = 200;
const MAX_COLUMNS = 20;

/** By the alignment of the column. */
const DELIMITERS: ReadonlyMap<unknown, string> = new Map([
  ['center', ':---:'],
  ['right', '---:'],
]);

/** The first row is the head of the table, as Slack shows it. */
export function mrkdwnOfTable({ rows: given, column_settings: settings }: SlackObject): string {
  const all = Array.isArray(given) ? given : [];
  const rows = all.slice(0, MAX_ROWS).map((row) => objectsOf(row).slice(0, MAX_COLUMNS).map(cellOf));
  const [head, ...others] = rows;
  if (head === undefined || rows.every((row) => row.every((cell) => cell === ''))) return '';
  const columns = Math.max(...rows.map((row) => row.length));
  const delimiters = objectsOf(settings)
    .slice(0, columns)
    .map(({ align }) => DELIMITERS.get(align) ?? '---');
  const lines = [line(head, columns), line(delimiters, columns, '---'), ...others.map((row) => line(row, columns))];
  const more = all.length - rows.length;
  return `${lines.join('\n')}${more > 0 ? `\n\n… and ${more} more ${more === 1 ? 'row' : 'rows'}` : ''}`;
}

function line(cells: readonly string[], columns: number, filler = ''): string {
  const padded = Array.from({ length: columns }, (_, index) => cells[index] ?? filler);
  return `| ${padded.join(' | ')} |`;
}

/** A cell is one line, so a list in it goes on in the same line. */
function cellOf(cell: SlackObject): string {
  if (cell.type === 'rich_text') return mrkdwnOfRichText(cell).replaceAll('\n', ' ').trim();
  return literalLine(textOf(cell.text) || textOf(cell.value));
}
