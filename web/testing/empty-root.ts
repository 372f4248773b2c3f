import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

// The little that React expects of a browser when it renders components without elements.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true, window: globalThis, HTMLIFrameElement: class {} });

export interface EmptyRoot {
  /** Renders and runs all effects. */
  readonly render: (node: ReactNode) => Promise<void>;
  readonly unmount: () => Promise<void>;
}

/** Renders components that have no elements, for tests of hooks. It needs no browser, so such a test can count renders exactly. */
export function emptyRoot(): EmptyRoot {
  const document = { nodeType: 9, addEventListener: () => undefined };
  const element = { nodeType: 1, nodeName: 'DIV', tagName: 'DIV', namespaceURI: 'http://www.w3.org/1999/xhtml' };
  const container = { ...element, addEventListener: () => undefined, ownerDocument: document };
  const root = createRoot(container as unknown as HTMLElement);
  return {
    render: (node) => act(async () => root.render(node)),
    unmount: () => act(async () => root.unmount()),
  };
}
