/** Long lists in answers, serialized a slice at a time, so that nobody waits for the whole of one. */
import { rawJson, type Serialized } from './route.ts';
import { turn } from './turns.ts';

/** Milliseconds of one slice. What takes no longer is done at once. */
const SLICE = 3;
/** Items. A longer list waits for its turn to begin. */
const SHORT = 200;

/** The items, each as `present` has it, as a JSON array. */
export async function serializedList<Item, Presented>(
  items: readonly Item[],
  present: (item: Item) => Presented,
): Promise<Serialized<Presented[]>> {
  const pieces: Buffer[] = [];
  let texts: string[] = [];
  let before = '[';
  const cut = (): void => {
    pieces.push(Buffer.from(before + texts.join(',')));
    before = ',';
    texts = [];
  };
  if (items.length > SHORT) await turn();
  let began = performance.now();
  for (const item of items) {
    texts.push(JSON.stringify(present(item)));
    if (performance.now() - began < SLICE) continue;
    cut();
    await turn();
    began = performance.now();
  }
  if (pieces.length === 0) return rawJson(`[${texts.join(',')}]`);
  if (texts.length > 0) cut();
  pieces.push(Buffer.from(']'));
  return rawJson(pieces);
}
