import { toasts } from '../base/toasts.ts';
import { problemText } from '../shown/problem-text.ts';

/** Shows a failed request as a notice. */
export function showProblem(error: unknown): void {
  toasts.show({ kind: 'error', text: problemText(error), key: 'people-problem' });
}
