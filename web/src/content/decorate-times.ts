import { t } from '../base/i18n.ts';
import { formatDateTime, formatFull, formatRelative } from '../base/i18n-formats.ts';

/** Shows times in the reader's zone and clock. The tooltip has everything, and what the sender's zone does not matter for. */
export function decorateTimes(root: ParentNode): void {
  for (const time of root.querySelectorAll('time')) {
    const date = new Date(time.dateTime);
    if (Number.isNaN(date.getTime())) continue;
    const full = formatFull(date);
    time.textContent = formatDateTime(date);
    time.title = t('{full} ({relative})', { full, relative: formatRelative(date, new Date()) });
  }
}
