import { unresolvedName } from '@heddle/client/model/messages/places.ts';

/** A piece of a text in which a search found matches. */
export interface TextPart {
  readonly text: string;
  readonly isMatch: boolean;
  /** Where it begins in the HTML. */
  readonly start: number;
}

const MATCH = /<span class="highlight">([^<]*)<\/span>/g;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'", '#x27': "'" };

/** Reads the HTML of a topic with highlighted matches. It contains nothing else, so no node is made from it. */
export function highlightedText(html: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  const add = (source: string, isMatch: boolean, start: number) => {
    const text = source.replace(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
    const shown = parts.length === 0 ? unresolvedName(text) : text;
    if (shown !== '') parts.push({ text: shown, isMatch, start });
  };
  let end = 0;
  for (const match of html.matchAll(MATCH)) {
    add(html.slice(end, match.index), false, end);
    add(match[1] ?? '', true, match.index);
    end = match.index + match[0].length;
  }
  add(html.slice(end), false, end);
  return parts;
}
