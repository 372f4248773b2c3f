import type { StateInline } from 'markdown-it';

const EXCLAMATION_MARK_CODE = 33;
const BRACKET_CODE = 91;

/** What the `meta` of a `link_open` token says that was written as media. */
export interface MediaLink {
  readonly isMedia: true;
}

type InlineRule = (state: StateInline, silent: boolean) => boolean;

/**
 * `![text](address)`: the link of that text and address, without the exclamation mark. The renderer makes an audio player of it where it
 * leads to an uploaded audio file (public reference: "Message formatting", feature level 405). Images in this syntax came with level 437.
 */
export function mediaSyntax(link: InlineRule): InlineRule {
  return (state, silent) => {
    const { src, pos } = state;
    if (src.charCodeAt(pos) !== EXCLAMATION_MARK_CODE || src.charCodeAt(pos + 1) !== BRACKET_CODE) return false;
    // While the parser only looks ahead it must find the link itself: no link contains another.
    if (silent || state.linkLevel > 0) return false;
    const opening = state.tokens.length + (state.pending === '' ? 0 : 1);
    state.pos = pos + 1;
    if (!link(state, silent)) {
      state.pos = pos;
      return false;
    }
    const token = state.tokens[opening];
    if (token?.type === 'link_open') token.meta = { isMedia: true } satisfies MediaLink;
    return true;
  };
}
