import { ApiError, NetworkError } from '@heddle/client/calls/errors.ts';
import { t } from '../base/i18n.ts';

/** Why a request failed, and what to do, in words for the user. */
export function problemOf(error: unknown): string {
  if (error instanceof NetworkError) return t('The server cannot be reached. Try again when you are online.');
  if (error instanceof ApiError) return error.message;
  return t('The server could not do this. Try again later.');
}
