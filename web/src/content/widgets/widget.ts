import type { Submessage } from '@heddle/client/model/messages/message-record.ts';

/**
 * A widget is a list of JSON documents that are attached to a message. The first one defines it, and the others change it,
 * in their order. All clients compute the same state from them. Clients can attach anything, so what does not fit is ignored.
 */

/** A change of a widget, as a user wrote it. */
export interface Contribution {
  readonly senderId: number;
  readonly data: Fields;
}

export type Fields = Readonly<Record<string, unknown>>;

export interface Widget {
  readonly kind: 'poll' | 'todo' | 'zform';
  /** What the first document contains. */
  readonly definition: Fields;
}

const KINDS = ['poll', 'todo', 'zform'] as const;

/** The widget of a message. Undefined for an ordinary message, and for widgets of newer servers. */
export function widgetOf([first]: readonly Submessage[]): Widget | undefined {
  if (first === undefined || first.type !== 'widget') return undefined;
  const content = fieldsOf(first.content);
  const kind = KINDS.find((one) => one === content?.widget_type);
  if (content === undefined || kind === undefined) return undefined;
  return { kind, definition: isFields(content.extra_data) ? content.extra_data : {} };
}

/** The changes after the definition. */
export function contributionsOf(submessages: readonly Pick<Submessage, 'senderId' | 'content'>[]): Contribution[] {
  return submessages.slice(1).flatMap(({ senderId, content }) => {
    const data = fieldsOf(content);
    return data === undefined ? [] : [{ senderId, data }];
  });
}

function fieldsOf(json: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The largest number that users can give to an option or a task. */
const MAX_OPTION_INDEX = 1000;

export function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_OPTION_INDEX;
}

/** The number of the next option or task of a user, after those that they have used. */
export function nextIndex(used: Iterable<number>): number {
  return Math.max(0, ...used) + 1;
}
