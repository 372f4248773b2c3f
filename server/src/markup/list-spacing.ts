import type { StateCore, Token } from 'markdown-it';

/** A blank line, in a quote or not. */
const BLANK_LINE = /^[ \t>]*$/;

interface Item {
  readonly level: number;
  /** The tokens that begin its own paragraphs. */
  readonly paragraphs: number[];
  isEmpty: boolean;
  isLoose: boolean;
}

/**
 * Makes paragraphs of the texts of a list item if a blank line stands before it, after it, or between its blocks. CommonMark, and
 * so the parser, would do this for all items of the list.
 */
export function spaceListItems(state: StateCore): void {
  let lines: readonly string[] | undefined;
  const followsBlank = (token: Token) => {
    lines ??= state.src.split('\n');
    return BLANK_LINE.test(lines[(token.map?.[0] ?? 0) - 1] ?? 'no line');
  };
  const items: Item[] = [];
  /** The open items, the innermost last; and for each open list its previous item. */
  const open: Item[] = [];
  const previous: (Item | undefined)[] = [];

  for (const [index, token] of state.tokens.entries()) {
    const parent = open.at(-1);
    if (parent && token.nesting >= 0 && token.level === parent.level + 1) {
      if (!parent.isEmpty && followsBlank(token)) parent.isLoose = true;
      parent.isEmpty = false;
      if (token.type === 'paragraph_open') parent.paragraphs.push(index);
    }
    switch (token.type) {
      case 'bullet_list_open':
      case 'ordered_list_open':
        previous.push(undefined);
        break;
      case 'bullet_list_close':
      case 'ordered_list_close':
        previous.pop();
        break;
      case 'list_item_open': {
        const before = previous.pop();
        const isApart = before !== undefined && followsBlank(token);
        if (isApart) before.isLoose = true;
        if (isApart && parent) parent.isLoose = true;
        const item: Item = { level: token.level, paragraphs: [], isEmpty: true, isLoose: isApart };
        previous.push(item);
        open.push(item);
        items.push(item);
        break;
      }
      case 'list_item_close':
        open.pop();
        break;
    }
  }

  for (const { paragraphs, isLoose } of items) {
    for (const index of paragraphs) {
      for (const token of [state.tokens[index], state.tokens[index + 2]]) if (token) token.hidden = !isLoose;
    }
  }
}
