/** The longest wait for a field after the part has loaded, in frames. Many parts have no field. */
const MAX_FRAMES = 20;
const FIELD = 'input, textarea';
/** More characters than a person types while a part loads. */
const MAX_HELD_KEYS = 200;

/** Takes over the characters of a wait that looks for its field. A part can bring another part that loads. */
let takeWaiting: (() => string) | undefined;

/**
 * Holds the characters that the user types, until a text field has the focus. Otherwise they would be shortcuts, or lost.
 * @returns ends the wait: the field gets the characters. Call it once the field is in the document.
 */
export function holdKeys(target: Window): () => void {
  let held = takeWaiting?.() ?? '';
  let isOver = false;
  const take = (): string => {
    end();
    return held;
  };
  const end = (): void => {
    isOver = true;
    if (takeWaiting === take) takeWaiting = undefined;
    target.removeEventListener('keydown', hold, { capture: true });
  };
  const hold = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event;
    // The user leaves the part. The next character is a shortcut again.
    if (key === 'Escape') end();
    const isCharacter = [...key].length === 1 && !ctrlKey && !metaKey && !altKey && !isComposing;
    if (!isCharacter || held.length >= MAX_HELD_KEYS) return;
    event.preventDefault();
    event.stopPropagation();
    held += key;
  };
  target.addEventListener('keydown', hold, { capture: true });
  return () => {
    if (!isOver) takeWaiting = take;
    const giveToField = (frames: number): void => {
      if (isOver) return;
      const { document } = target;
      const isField = document.activeElement?.matches(FIELD) === true;
      if (!isField && frames > 0) {
        target.requestAnimationFrame(() => giveToField(frames - 1));
        return;
      }
      end();
      // Unlike a new value, this can be undone, and the field's handlers hear of it.
      if (isField && held !== '') document.execCommand('insertText', false, held);
    };
    giveToField(MAX_FRAMES);
  };
}

/** The same while the server responds. It ends early if the user goes to another field. */
export async function holdKeysDuring<Result>(target: Window, request: () => Promise<Result>): Promise<Result> {
  const release = holdKeys(target);
  const onFocus = ({ target: focused }: FocusEvent): void => {
    if (focused instanceof Element && focused.matches(FIELD)) release();
  };
  target.addEventListener('focusin', onFocus);
  try {
    return await request();
  } finally {
    target.removeEventListener('focusin', onFocus);
    release();
  }
}
