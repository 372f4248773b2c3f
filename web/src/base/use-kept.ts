import { useRef, useState } from 'react';

type Kept<Text> = [text: Text, change: (text: Text) => void, end: (sent?: Text) => void];

/** More fields than a user leaves unfinished. */
const MAX_KEPT_FIELDS = 100;

/** What the user typed in forms that they left, by the key of the field. The newest is the last one. */
const kept = new Map<string, string>();

/**
 * The text of a field. It is still there when the user has left the form and comes back, but not after a reload.
 * @param key undefined: the text is not kept
 * @returns the text; its setter; and a function for a form that was sent or cancelled. With `sent`, it does nothing if the user has changed
 *   the text since
 */
export function useKept(key: string | undefined, initial: string): Kept<string>;
export function useKept(key: string | undefined, initial: undefined): Kept<string | undefined>;
export function useKept<Text extends string | undefined>(key: string | undefined, initial: Text): Kept<Text> {
  const [text, setText] = useState(() => (key === undefined ? initial : ((kept.get(key) as Text) ?? initial)));
  const latest = useRef(text);
  const change = (now: Text) => {
    latest.current = now;
    setText(now);
    if (key !== undefined) keep(key, now);
  };
  const end = (sent?: Text) => {
    if (sent === undefined || latest.current === sent) change(initial);
  };
  return [text, change, end];
}

function keep(key: string, text: string | undefined): void {
  kept.delete(key);
  if (text) kept.set(key, text);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT_FIELDS && oldest !== undefined) kept.delete(oldest);
}
