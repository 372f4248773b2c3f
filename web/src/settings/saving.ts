import { useCallback, useState } from 'react';
import { problemText } from '../shown/problem-text.ts';

/** A request of a form or a button. */
export interface Action {
  readonly isPending: boolean;
  /** Whether the last request succeeded. */
  readonly isDone: boolean;
  /** Why the last request failed. */
  readonly problem: string | undefined;
  /** Runs a request. Resolves to whether it succeeded; it never rejects. The same function in each render. */
  readonly run: (request: () => Promise<unknown>) => Promise<boolean>;
}

type ActionState = Pick<Action, 'isPending' | 'isDone' | 'problem'>;

/** Keeps the state of the last request of a form. */
export function useAction(): Action {
  const [state, setState] = useState<ActionState>({ isPending: false, isDone: false, problem: undefined });
  const run = useCallback(async (request: () => Promise<unknown>) => {
    setState({ isPending: true, isDone: false, problem: undefined });
    try {
      await request();
      setState({ isPending: false, isDone: true, problem: undefined });
      return true;
    } catch (error) {
      setState({ isPending: false, isDone: false, problem: problemText(error) });
      return false;
    }
  }, []);
  return { ...state, run };
}

/** A setting that saves itself. */
export interface Saved<Value> {
  /** What the user chose last, or else what the server has. */
  readonly value: Value;
  readonly change: (value: Value) => void;
  readonly action: Action;
}

/** Shows a new value at once, and returns to the server's value if the server refuses it. */
export function useSaved<Value>(value: Value, save: (value: Value) => Promise<unknown>): Saved<Value> {
  const action = useAction();
  const [chosen, setChosen] = useState<{ readonly value: Value; readonly before: Value }>();
  // The event about this change, or about another one, has arrived.
  if (chosen !== undefined && chosen.before !== value) setChosen(undefined);
  const change = (next: Value) => {
    setChosen({ value: next, before: value });
    void action.run(() => save(next)).then((isSaved) => !isSaved && setChosen(undefined));
  };
  return { value: chosen === undefined || chosen.before !== value ? value : chosen.value, change, action };
}
