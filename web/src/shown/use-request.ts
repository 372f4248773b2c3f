import { useState } from 'react';
import { problemText } from './problem-text.ts';

/** A request of a dialog, which closes after it. */
interface Request {
  readonly isPending: boolean;
  /** Why it failed, or what the user must correct first, as a sentence. */
  readonly problem: string | undefined;
  readonly setProblem: (problem: string) => void;
  /** Resolves to whether it succeeded; it never rejects. After a success it stays pending, until the dialog is closed. */
  readonly send: (request: () => Promise<unknown>) => Promise<boolean>;
}

/** Keeps the state of the last request of a dialog. */
export function useRequest(): Request {
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const send = async (request: () => Promise<unknown>) => {
    setPending(true);
    setProblem(undefined);
    try {
      await request();
      return true;
    } catch (error) {
      setProblem(problemText(error));
      setPending(false);
      return false;
    }
  };
  return { isPending, problem, setProblem, send };
}
