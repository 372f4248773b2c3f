import { PROFILE_FIELD_TYPES, type ProfileValue } from '@heddle/client/model/people/profile-fields.ts';
import type { ReactNode } from 'react';
import { useModel } from '../base/app.tsx';
import { MessageHtml } from '../content/message-html-view.tsx';
import { formatCalendarDate } from './calendar-date.ts';
import { accountUrl, safeUrl } from './external-account.ts';
import { PersonLink } from './person-link.tsx';
import styles from './profile.module.css';

/** The value of a custom profile field, by its type. */
export function ProfileFieldValue({ value: { field, value, html } }: { readonly value: ProfileValue }): ReactNode {
  const model = useModel();
  const { data, type } = field;
  switch (type) {
    case PROFILE_FIELD_TYPES.longText:
    case PROFILE_FIELD_TYPES.shortText:
      return html === undefined ? value : <MessageHtml html={html} className={styles.html} />;
    case PROFILE_FIELD_TYPES.select:
      return optionText(data, value);
    case PROFILE_FIELD_TYPES.date:
      return formatCalendarDate(value);
    case PROFILE_FIELD_TYPES.url:
      return <OutsideLink href={safeUrl(value)} text={value} />;
    case PROFILE_FIELD_TYPES.users:
      return <People ids={idsOf(value)} />;
    case PROFILE_FIELD_TYPES.externalAccount: {
      const services = model.organization.settings.default_external_accounts ?? {};
      return <OutsideLink href={accountUrl(data, services, value)} text={value} />;
    }
    default:
      return value;
  }
}

function OutsideLink({ href, text }: { readonly href: string | undefined; readonly text: string }): ReactNode {
  if (href === undefined) return text;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  );
}

function People({ ids }: { readonly ids: readonly number[] }): ReactNode {
  return (
    <ul className={styles.inline}>
      {ids.map((id) => (
        <li key={id}>
          <PersonLink userId={id} />
        </li>
      ))}
    </ul>
  );
}

function optionText(data: Readonly<Record<string, unknown>>, key: string): string {
  const option = data[key];
  if (typeof option !== 'object' || option === null || !('text' in option)) return key;
  return String(option.text);
}

/** Reads the ids of a field of users, which is a JSON array. */
function idsOf(value: string): readonly number[] {
  try {
    const ids: unknown = JSON.parse(value);
    return Array.isArray(ids) ? ids.filter((id): id is number => Number.isInteger(id)) : [];
  } catch {
    return [];
  }
}
