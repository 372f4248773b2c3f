import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** Tags, blanks and words, of HTML that `renderMessage` wrote. */
const PIECES = /<(?:"[^"]*"|[^">])*>|\s+|[^<\s]+/g;

/** Pieces that may differ before it is said of everything that it differs: the time grows with the square, here to 2 or 3 ms. */
const MOST_DIFFERENCES = 200;

/**
 * A message's HTML with what was inserted since an earlier one, and what was deleted, marked by classes that clients know (public
 * reference: "Get a message's edit history", `content_html_diff`). Its tags are those of the later one.
 */
export function htmlDifferences(before: string, after: string): string {
  // Loaded with the first history that somebody asks for.
  const { diffArrays } = load('diff') as typeof import('diff');
  const [old, present] = [piecesOf(before), piecesOf(after)];
  const changes = diffArrays(old, present, { maxEditLength: MOST_DIFFERENCES }) ?? [
    { value: old, removed: true, added: false },
    { value: present, removed: false, added: true },
  ];
  let html = '';
  let deleted = '';
  for (const { value, removed, added } of changes) {
    if (removed) {
      deleted = marked('deleted', textIn(value));
      continue;
    }
    const written = added ? markedPieces(value) : value.join('');
    html += added ? joined(written, deleted) : deleted + written;
    deleted = '';
  }
  return `<div>${html}${deleted}</div>`;
}

function piecesOf(html: string): string[] {
  return html.match(PIECES) ?? [];
}

/** A picture is something to see, other tags are not. */
function isTag(piece: string): boolean {
  return piece.startsWith('<') && !piece.startsWith('<img ');
}

function textIn(pieces: readonly string[]): string {
  return pieces
    .map((piece) => (isTag(piece) ? ' ' : piece))
    .join('')
    .trim();
}

function marked(what: 'inserted' | 'deleted', text: string): string {
  return text === '' ? '' : `<span class="highlight_text_${what}">${text}</span>`;
}

/** Text in marks, and tags as they are, so that each mark stands within one element. */
function markedPieces(pieces: readonly string[]): string {
  let html = '';
  let text = '';
  const end = () => {
    html += text.trim() === '' ? text : text.replace(/\S(?:.*\S)?/s, (words) => marked('inserted', words));
    text = '';
  };
  for (const piece of pieces) {
    if (isTag(piece)) {
      end();
      html += piece;
    } else text += piece;
  }
  end();
  return html;
}

/** What took the place of another text comes before it; between tags, the deleted text goes first, as it stood within what is closed after it. */
function joined(inserted: string, deleted: string): string {
  if (deleted === '') return inserted;
  return inserted.endsWith('</span>') && inserted.startsWith('<span class="highlight_')
    ? `${inserted} ${deleted}`
    : deleted + inserted;
}
