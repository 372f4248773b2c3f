import type { Model } from '@heddle/client/model/model.ts';
import { t } from '../base/i18n.ts';

/** The name that the server gives the topic without a name, in English. */
const DEFAULT_NAME = 'general chat';

/** What the app shows for the topic without a name. */
export function emptyTopicName({ organization }: Pick<Model, 'organization'>): string {
  const name = organization.settings.empty_topic_display_name ?? DEFAULT_NAME;
  return name === DEFAULT_NAME ? t('general chat') : name;
}
