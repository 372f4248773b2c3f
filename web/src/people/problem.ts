import { ApiError, NetworkError } from '@heddle/client/calls/errors.ts';
import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';

/** What went wrong with a request, and what the user can do. */
export function problemText(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof NetworkError) return t('The server cannot be reached. Please try again.');
  return t('Something went wrong. Please try again.');
}

/** Shows a failed request as a notice. */
export function showProblem(error: unknown): void {
  toasts.show({ kind: 'error', text: problemText(error), key: 'people-problem' });
}
