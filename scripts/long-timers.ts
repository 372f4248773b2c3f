/** Long timers, with the code that set them. A timer that a test leaves running keeps its process alive, and Node.js says only "Timeout" of it. */

/** Shorter timers end before a process counts as hanging. */
const MIN_LONG_MS = 20_000;
/** Lines of a stack that tell who set a timer. */
const MAX_STACK_LINES = 4;

type Timer = NodeJS.Timeout & { readonly _destroyed?: boolean };

const running = new Map<WeakRef<Timer>, string>();
const forget = new FinalizationRegistry<WeakRef<Timer>>((reference) => running.delete(reference));

/** From now on, notes who sets long timers. */
export function noteLongTimers(): void {
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const set = globalThis[name] as unknown as (...given: readonly unknown[]) => Timer;
    const noting = (act: unknown, milliseconds: unknown, ...given: readonly unknown[]): Timer => {
      const timer = set(act, milliseconds, ...given);
      if (Number(milliseconds) >= MIN_LONG_MS) note(timer);
      return timer;
    };
    Object.defineProperties(noting, Object.getOwnPropertyDescriptors(set));
    Object.assign(globalThis, { [name]: noting });
  }
}

function note(timer: Timer): void {
  const reference = new WeakRef(timer);
  const lines = (new Error().stack ?? '').split('\n').slice(3, 3 + MAX_STACK_LINES);
  running.set(reference, lines.map((line) => line.trim()).join(' '));
  forget.register(timer, reference);
}

/** Where the long timers were set that keep this process alive. */
export function longTimersLeft(): readonly string[] {
  return [...running].flatMap(([reference, where]) => {
    const timer = reference.deref();
    return timer?.hasRef() === true && timer._destroyed !== true ? [where] : [];
  });
}
