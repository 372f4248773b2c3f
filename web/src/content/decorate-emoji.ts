import type { CustomEmoji } from '@heddle/client/model/emoji.ts';

const CODE = /(?:^| )emoji-([0-9a-f]{2,6}(?:-[0-9a-f]{2,6})*)(?: |$)/;

/** The characters of an emoji by the code in its class, for example `1f44d-1f3fd`. Undefined if the code is not valid. */
export function emojiOfClass(className: string): string | undefined {
  const [, code] = CODE.exec(className) ?? [];
  if (code === undefined) return undefined;
  const points = code.split('-').map((point) => Number.parseInt(point, 16));
  if (points.some((point) => point > 0x10ffff)) return undefined;
  const text = String.fromCodePoint(...points);
  // Characters that are also text, such as a heart, need the selector of their colourful form.
  return points.length === 1 && (points[0] ?? 0) < 0x1f000 ? `${text}\ufe0f` : text;
}

/** Shows emoji as characters. With the setting for text, their names stay. */
export function decorateEmoji(root: ParentNode, isText: boolean): void {
  for (const span of root.querySelectorAll<HTMLElement>('span.emoji')) {
    const emoji = emojiOfClass(span.className);
    if (!isText && emoji !== undefined) span.textContent = emoji;
  }
}

/** How many emoji a message shows larger, if it contains nothing else. */
const MAX_LARGE_EMOJI = 12;

/** Whether the nodes are a few emoji and nothing else. Call it before `decorateEmoji`. */
export function isOnlyEmoji(root: ParentNode): boolean {
  const emoji = root.querySelectorAll('.emoji');
  if (emoji.length === 0 || emoji.length > MAX_LARGE_EMOJI) return false;
  const [only] = root.children;
  if (root.children.length !== 1 || only?.localName !== 'p' || only.children.length !== emoji.length) return false;
  return [...only.childNodes].every((node) => node.nodeType !== Node.TEXT_NODE || node.textContent?.trim() === '');
}

/** The still pictures of animated emoji by the path of the moving one, for each state of the emoji. */
const stillUrls = new WeakMap<object, ReadonlyMap<string, string>>();

/** Custom emoji do not move for people who prefer that. */
export function stillEmoji(root: ParentNode, { all }: Pick<CustomEmoji, 'all'>): void {
  const known = stillUrls.get(all);
  const stills =
    known ?? new Map([...all.values()].flatMap(({ url, stillUrl }) => (stillUrl ? [[url, stillUrl]] : [])));
  if (known === undefined) stillUrls.set(all, stills);
  for (const image of root.querySelectorAll<HTMLImageElement>('img.emoji')) {
    const still = stills.get(image.getAttribute('src') ?? '');
    if (still !== undefined) image.setAttribute('src', still);
  }
}
