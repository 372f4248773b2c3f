/**
 * Long lists in answers, serialized a slice at a time. A server does one thing at a time, and what somebody else sends meanwhile passes it
 * several times until it is answered: so however many long lists are being written, there is one slice of one of them between two looks
 * at what else there is to do.
 */
import { rawJson, type Serialized } from './route.ts';

/** Milliseconds of one slice, and items between two looks at the clock. */
const SLICE = 3;
const LOOK_EVERY = 16;
/** A shorter list is serialized at once. */
const SHORT = 50;

const waiting: (() => void)[] = [];

/** Resolves when it is the caller's turn: in the order of asking, one between two looks of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(next);
  });
}

function next(): void {
  // It stays in the line until it has had its turn, so that the next one waits for the next look.
  waiting[0]?.();
  setImmediate(() => {
    waiting.shift();
    if (waiting.length > 0) next();
  });
}

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
