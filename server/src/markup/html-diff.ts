import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** Tags, spaces and words of HTML that `renderMessage` wrote. */
const PIECES = /<(?:"[^"]*"|[^">])*>|\s+|[^<\s]+/g;

/** Beyond so many different pieces everything counts as different: the time grows with the square of their number. */
const MAX_DIFFERENCES = 200;

/**
 * The HTML of a message, with marks where text was inserted or deleted since the earlier version. The classes of the marks are those that
 * clients know (public reference: "Get a message's edit history", `content_html_diff`). The tags are those of the later version.
 */
export function htmlDifferences(before: string, after: string): string {
  // Loaded with the first edit history that a client asks for.
  const { diffArrays } = load('diff') as typeof import('diff');
  const [old, present] = [piecesOf(before), piecesOf(after)];
  const changes = diffArrays(old, present, { maxEditLength: MAX_DIFFERENCES }) ?? [
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

/** Readers see a picture, and no other tags. */
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

/** Marks the text and leaves the tags as they are, so that each mark is within one element. */
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

/** An insertion comes before the deletion that it replaces. Between tags the deletion comes first: it was within the element that ends there. */
function joined(inserted: string, deleted: string): string {
  if (deleted === '') return inserted;
  return inserted.endsWith('</span>') && inserted.startsWith('<span class="highlight_')
    ? `${inserted} ${deleted}`
    : deleted + inserted;
}
