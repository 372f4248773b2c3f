/** Loads code that is not part of the first view. */
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { t } from './i18n.ts';
import { toasts } from './toasts.ts';

export type Load<Props> = () => Promise<{ readonly default: ComponentType<Props> }>;

/** The pauses between two attempts, in milliseconds. The last one repeats. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000] as const;
/** Earlier failures are not worth a notice. */
const MIN_FAILURES_BEFORE_NOTICE = 3;

/** Like `lazy` of React, but a lost connection only delays the component. With `lazy`, it would take the whole app away. */
export function lazyComponent<Props>(load: Load<Props>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() => loadedCode(load));
}

/**
 * Tries until the code is loaded. If the server can be reached and does not have it, a newer version of the app may have
 * replaced it. Then a notice asks for a reload.
 */
export async function loadedCode<Module>(load: () => Promise<Module>): Promise<Module> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await loadWithStyles(load);
    } catch (error) {
      if (attempt >= MIN_FAILURES_BEFORE_NOTICE && (await isServerReachable())) askForReload(error);
      await pauseAfter(attempt);
    }
  }
}

/** Loads code with its styles. Vite requests styles only once, also if they fail. So this requests them again. */
export async function loadWithStyles<Module>(load: () => Promise<Module>): Promise<Module> {
  const module = await load();
  await Promise.all([...lostStyles].map(([href, request]) => request ?? requestStyles(href)));
  return module;
}

/** The addresses of styles that could not be loaded, each with the request that is on its way. */
const lostStyles = new Map<string, Promise<void> | undefined>();

globalThis.addEventListener?.('error', noteLostStyles, { capture: true });

function noteLostStyles({ target }: Event): void {
  if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return;
  target.remove();
  lostStyles.set(target.href, undefined);
}

function requestStyles(href: string): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  const request = new Promise<void>((resolve, reject) => {
    link.addEventListener('load', () => {
      lostStyles.delete(href);
      resolve();
    });
    link.addEventListener('error', () => reject(new Error(`these styles cannot be loaded: ${href}`)));
  });
  lostStyles.set(href, request);
  document.head.append(link);
  return request;
}

function pauseAfter(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSES_MS[Math.min(attempt, PAUSES_MS.length) - 1]));
}

async function isServerReachable(): Promise<boolean> {
  try {
    return (await fetch('/', { method: 'HEAD', credentials: 'same-origin', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

function askForReload(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: a developer needs the cause.
  console.warn('a part of the app cannot be loaded', error);
  toasts.show({
    text: t('A part of the app cannot be loaded. Reload the page.'),
    kind: 'error',
    action: { label: t('Reload'), run: () => window.location.reload() },
    key: 'load-code',
  });
}
