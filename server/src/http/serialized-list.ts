/** Long lists in answers, serialized a slice at a time, so that nobody waits for the whole of one. */
import { rawJson, type Serialized } from './route.ts';
import { turn } from './turns.ts';

/** Milliseconds of one slice, and items between two looks at the clock. */
const SLICE = 3;
const LOOK_EVERY = 16;
/** A shorter list is serialized at once. */
const SHORT = 200;

/** The items, each as `present` has it, as a JSON array. */
export async function serializedList<Item, Presented>(
  items: readonly Item[],
  present: (item: Item) => Presented,
): Promise<Serialized<Presented[]>> {
  if (items.length <= SHORT) return rawJson(JSON.stringify(items.map(present)));
  const pieces: Buffer[] = [];
  let texts: string[] = [];
  let before = '[';
  const cut = (): void => {
    pieces.push(Buffer.from(before + texts.join(',')));
    before = ',';
    texts = [];
  };
  await turn();
  let began = performance.now();
  for (const [index, item] of items.entries()) {
    texts.push(JSON.stringify(present(item)));
    if (index % LOOK_EVERY !== LOOK_EVERY - 1 || performance.now() - began < SLICE) continue;
    cut();
    await turn();
    began = performance.now();
  }
  if (texts.length > 0) cut();
  pieces.push(Buffer.from(']'));
  return rawJson(pieces);
}
