import { turn } from '../limits/turns.ts';
import { rawJson, type Serialized } from './raw-json.ts';

/** Milliseconds of one slice. Shorter work is done at once. */
const SLICE_TIME_LIMIT_MS = 3;
/** Items. A longer list waits for its turn to begin. */
const MAX_SHORT_LIST_ITEMS = 200;

/** The items as a JSON array, each in the form of `present`. */
export function serializedList<Item, Presented>(
  items: readonly Item[],
  present: (item: Item) => Presented,
): Promise<Serialized<Presented[]>> {
  return serialized(items, (item) => JSON.stringify(present(item)), '[', ']');
}

/** The items as a JSON object: `entry` gives the key and the value of each. */
export function serializedRecord<Item, Presented>(
  items: readonly Item[],
  entry: (item: Item) => readonly [string, Presented],
): Promise<Serialized<Record<string, Presented>>> {
  const written = (item: Item): string => {
    const [key, value] = entry(item);
    return `${JSON.stringify(key)}:${JSON.stringify(value)}`;
  };
  return serialized(items, written, '{', '}');
}

async function serialized<Item>(items: readonly Item[], written: (item: Item) => string, open: string, close: string) {
  const pieces: Buffer[] = [];
  let texts: string[] = [];
  let before = open;
  const cut = (): void => {
    pieces.push(Buffer.from(before + texts.join(',')));
    before = ',';
    texts = [];
  };
  if (items.length > MAX_SHORT_LIST_ITEMS) await turn();
  let began = performance.now();
  for (const item of items) {
    texts.push(written(item));
    if (performance.now() - began < SLICE_TIME_LIMIT_MS) continue;
    cut();
    await turn();
    began = performance.now();
  }
  if (pieces.length === 0) return rawJson(`${open}${texts.join(',')}${close}`);
  if (texts.length > 0) cut();
  pieces.push(Buffer.from(close));
  return rawJson(pieces);
}
