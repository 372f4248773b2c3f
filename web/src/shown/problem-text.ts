import { isApiError, isTemporary, NetworkError } from '@heddle/client/calls/errors.ts';
import { Subject } from '@heddle/client/model/changes.ts';
import { t } from '../base/i18n.ts';

/** Why a request failed, and what to do, as a sentence in the language of the user. */
export function problemText(error: unknown): string {
  if (isApiError(error, 'RATE_LIMIT_HIT')) return t('You did this too often. Wait a little.');
  if (isApiError(error) && !isTemporary(error)) {
    return serverText(error.status === 404 ? 'NOT_FOUND' : error.code, error.message);
  }
  if (error instanceof NetworkError && error.failure === 'offline') return t('You are offline. Try again later.');
  if (isTemporary(error)) return t('The server cannot be reached. Try again later.');
  return t('Something went wrong. Please try again.');
}

/**
 * The server's reason in the language of the user. A reason for which the app has no text stays as it is.
 * @param code of the error  @param said the server's text for people
 */
export function serverText(code: string | undefined, said: string): string {
  return translate?.(code, said) ?? said;
}

type Translate = (code: string | undefined, said: string) => string | undefined;

let translate: Translate | undefined;

/** Notified when the texts for the server's reasons are there. What shows a reason from before a reload subscribes. */
export const serverTextChanges = new Subject();

/** The texts are not part of the first view. */
export function setServerTexts(texts: Translate): void {
  translate = texts;
  serverTextChanges.changed();
}
