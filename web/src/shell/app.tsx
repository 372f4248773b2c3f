import type { Connection } from '@heddle/client/calls/connection.ts';
import type { Model } from '@heddle/client/model/model.ts';
import type { Session } from '@heddle/client/session/session.ts';
import { createContext, useContext } from 'react';
import type { Navigation } from './navigation.ts';

/** What all views share. A new registration makes a new `model`, and renders all views again. */
export interface App {
  readonly model: Model;
  readonly connection: Connection;
  readonly session: Session;
  readonly navigation: Navigation;
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
