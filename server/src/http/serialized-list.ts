/** Long lists in answers, serialized a slice at a time, so that nobody waits for the whole of one. */
import { rawJson, type Serialized } from './route.ts';
import { turn } from './turns.ts';

/** Milliseconds of one slice. Shorter lists are serialized at once. */
const SLICE = 3;

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
