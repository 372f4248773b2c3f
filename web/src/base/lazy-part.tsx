import { type ComponentType, type ReactNode, Suspense, useLayoutEffect, useState } from 'react';
import { holdKeys } from './held-keys.ts';
import { type Load, lazyComponent, loadWithStyles } from './load-code.ts';

/** How to load each part that is not loaded yet. */
const waiting = new Set<() => Promise<unknown>>();

/**
 * A dialog or another part of the app that loads when it is first shown, or earlier, when the browser is idle. A loaded part renders at once.
 * While it loads, the characters that the user types wait for its text field.
 * @param fallback is there meanwhile, for parts without a text field
 */
export function lazyPart<Props extends object>(
  load: Load<Props>,
  fallback: ReactNode = <HoldKeys />,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadAndKeep = async () => {
    const module = await loadWithStyles(load);
    loaded = module.default;
    waiting.delete(loadAndKeep);
    return module;
  };
  waiting.add(loadAndKeep);
  const Later = lazyComponent(loadAndKeep);
  return function Part(props: Props): ReactNode {
    // Another component would lose the state of the part.
    const [Shown] = useState(() => loaded ?? Later);
    return (
      <Suspense fallback={fallback}>
        <Shown {...props} />
      </Suspense>
    );
  };
}

/** Holds what is typed while it is shown, for the field that comes instead of it. */
export function HoldKeys(): ReactNode {
  useLayoutEffect(() => holdKeys(window), []);
  return null;
}

/** Loads the parts one after the other, whenever the browser has nothing else to do. Then it calls `done`. */
export function loadPartsWhenIdle(done: () => void): void {
  const [next] = waiting;
  if (next === undefined) {
    done();
    return;
  }
  const load = async () => {
    // Without a network, a part loads when it is shown.
    await next().catch(() => waiting.delete(next));
    loadPartsWhenIdle(done);
  };
  // Safari has no `requestIdleCallback`.
  if ('requestIdleCallback' in window) requestIdleCallback(() => void load());
  else setTimeout(() => void load(), 1_000);
}
