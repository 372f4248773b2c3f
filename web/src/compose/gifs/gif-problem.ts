import { isApiError } from '@heddle/client/calls/errors.ts';
import { t } from '../../base/i18n.ts';
import { problemText } from '../../shown/problem-text.ts';

/** Why there are no GIFs, as a sentence. */
export function gifProblem(error: unknown): string {
  if (isApiError(error, 'REALM_UPLOAD_QUOTA')) return t('Your organization has no space left for files.');
  if (!isApiError(error, 'GIF_SERVICE_FAILED')) return problemText(error);
  switch (error.fields.reason) {
    case 'refused':
      return t('The service for GIFs refuses the key of your organization. An administrator can change it.');
    case 'limited':
      return t('The service for GIFs allows no more requests at the moment. Try again later.');
    default:
      return t('The service for GIFs does not respond. Try again later.');
  }
}
