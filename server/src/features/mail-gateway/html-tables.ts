/** Tables of HTML mails. Those with data become tables of our markup. All others only arrange a page, and become their contents. */
import type Turndown from 'turndown';
import type { HtmlElement } from './html-elements.ts';

/** Of a cell. A longer one is a part of a page. */
const MAX_CELL_LENGTH = 300;
const MAX_TABLE_CELLS = 2000;
const MAX_COLUMNS = 30;
/** Elements that a cell of our markup cannot have. */
const BLOCKS = 'table, ul, ol, pre, blockquote, h1, h2, h3, h4, h5, h6, hr';

type AddRule = (
  name: string,
  applies: (node: HtmlElement) => boolean,
  replacement: (content: string, node: HtmlElement) => string,
) => void;

export function addTableRules(service: Turndown, add: AddRule): void {
  const isCell = ({ nodeName }: HtmlElement) => nodeName === 'TD' || nodeName === 'TH';
  add('part of a page', isCell, (content) => {
    const text = content.trim();
    return /\n|^#/.test(text) ? `\n\n${text}\n\n` : `${text} `;
  });
  add(
    'row of a page',
    ({ nodeName }) => nodeName === 'TR',
    (content) => `\n\n${content.trim()}\n\n`,
  );
  add(
    'table',
    (node) => node.nodeName === 'TABLE' && isData(node),
    (_, node) => tableOf(rowsOf(node).map((cells) => cells.map((cell) => service.turndown(cell.innerHTML)))),
  );
}

/** Two rows and two columns at least, and nothing in a cell but a text. */
function isData(table: HtmlElement): boolean {
  if (/^(presentation|none)$/i.test(table.getAttribute('role') ?? '')) return false;
  if (table.querySelectorAll(BLOCKS).length > 0) return false;
  const rows = rowsOf(table);
  const columns = columnsOf(rows);
  if (rows.length < 2 || columns < 2 || columns > MAX_COLUMNS || rows.length * columns > MAX_TABLE_CELLS) return false;
  return rows.every((cells) => cells.every(({ textContent }) => (textContent ?? '').length <= MAX_CELL_LENGTH));
}

function tableOf([header = [], ...rows]: readonly (readonly string[])[]): string {
  const columns = columnsOf([header, ...rows]);
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: columns }, (_, index) => inCell(cells[index] ?? '')).join(' | ')} |`;
  return `\n\n${[line(header), `|${' --- |'.repeat(columns)}`, ...rows.map(line)].join('\n')}\n\n`;
}

/** Rows without a text are distances. */
function rowsOf(table: HtmlElement): readonly (readonly HtmlElement[])[] {
  const rows = Array.from(table.querySelectorAll('tr'), ({ children }) =>
    Array.from(children).filter(({ nodeName }) => nodeName === 'TD' || nodeName === 'TH'),
  );
  return rows.filter((cells) => cells.some(({ textContent }) => (textContent ?? '').trim() !== ''));
}

const columnsOf = (rows: readonly (readonly unknown[])[]): number =>
  rows.reduce((most, { length }) => Math.max(most, length), 0);

const inCell = (markdown: string): string => markdown.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
