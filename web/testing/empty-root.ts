import { after, before } from 'node:test';
import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

/** The little that React expects of a browser when it renders components without elements. */
const GLOBALS = { IS_REACT_ACT_ENVIRONMENT: true, window: globalThis, HTMLIFrameElement: class {} };

export interface EmptyRoot {
  /** Renders and runs all effects. */
  readonly render: (node: ReactNode) => Promise<void>;
  readonly unmount: () => Promise<void>;
}

/**
 * For tests of hooks: returns a function that makes a root for components without elements. It needs no browser, so such a test can count
 * renders exactly. Call it once per file. Other files of the same process do not see its globals.
 */
export function emptyRoots(): () => EmptyRoot {
  before(() => void Object.assign(globalThis, GLOBALS));
  after(() => {
    for (const name of Object.keys(GLOBALS)) Reflect.deleteProperty(globalThis, name);
  });
  return () => {
    const document = { nodeType: 9, addEventListener: () => undefined };
    const element = { nodeType: 1, nodeName: 'DIV', tagName: 'DIV', namespaceURI: 'http://www.w3.org/1999/xhtml' };
    const container = { ...element, addEventListener: () => undefined, ownerDocument: document };
    const root = createRoot(container as unknown as HTMLElement);
    return {
      render: (node) => act(async () => root.render(node)),
      unmount: () => act(async () => root.unmount()),
    };
  };
}
