import { isApiError, isTemporary, NetworkError } from '@heddle/client/calls/errors.ts';
import { t } from '../base/i18n.ts';

/** Why a request failed, and what to do, as a sentence. */
export function problemText(error: unknown): string {
  if (isApiError(error, 'RATE_LIMIT_HIT')) return t('You did this too often. Wait a little.');
  if (isApiError(error) && !isTemporary(error)) return error.message;
  if (error instanceof NetworkError && error.failure === 'offline') return t('You are offline. Try again later.');
  return t('The server cannot be reached. Try again later.');
}
