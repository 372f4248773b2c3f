import * as alertWords from '@heddle/api/endpoints/alert-words.ts';
import { type AccessRow, row } from '../../../testing/access/access-row.ts';

export const rows: readonly AccessRow[] = [
  row(alertWords.getAlertWords, 'always', '++++++ uuxu'),
  row(alertWords.addAlertWords, 'always', '++++++ uuxu', () => ({ alert_words: ['loom'] })),
  row(alertWords.removeAlertWords, 'always', '++++++ uuxu', () => ({ alert_words: ['loom'] })),
];
