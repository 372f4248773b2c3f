import type { Connection } from '@heddle/client/calls/connection.ts';
import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { Model, TopicMove } from '@heddle/client/model/model.ts';
import type { Session } from '@heddle/client/session/session.ts';
import type { Tabs } from '@heddle/client/session/tabs.ts';
import { createContext, useContext } from 'react';
import type { Navigation } from './navigation.ts';

/** What all views share. A new registration makes a new `model`, and renders all views again. */
export interface App {
  readonly model: Model;
  readonly connection: Connection;
  readonly session: Session;
  readonly navigation: Navigation;
  /** Messages to the other tabs of this account. Undefined for spectators. */
  readonly tabs: Tabs | undefined;
  /** Calls `listener` for each message that arrives. Returns a function that ends this. */
  readonly onMessage: (listener: (message: MessageRecord) => void) => () => void;
  /** Calls `listener` when messages of a topic have moved. Returns a function that ends this. */
  readonly onMove: (listener: (move: TopicMove) => void) => () => void;
}

export const AppContext = createContext<App | undefined>(undefined);

/** @throws Error outside the app */
export function useApp(): App {
  const app = useContext(AppContext);
  if (app === undefined) throw new Error('this component needs the app around it');
  return app;
}

export function useModel(): Model {
  return useApp().model;
}
