/**
 * Actions of users on polls and to-do lists: the kinds of submessages that these widgets accept (public reference:
 * widgets).
 */
import { badRequest } from '@heddle/api/errors.ts';
import {
  type Check,
  checkBoolean,
  checkDict,
  checkOneOf,
  checkRange,
  checkString,
  WidgetError,
} from './widget-checks.ts';

/** The largest number that clients can give to an option or task. */
const MAX_OPTION_INDEX = 1000;

interface Kind {
  readonly check: Check;
  /** The error for users other than the widget's author; missing if all users may do it. */
  readonly onlyAuthor?: string;
}

function kind(fields: Readonly<Record<string, Check>>, onlyAuthor?: string): Kind {
  const check = checkDict({ type: checkString, ...fields }, { only: true });
  return onlyAuthor === undefined ? { check } : { check, onlyAuthor };
}

const KINDS: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  poll: {
    vote: kind({ key: checkString, vote: checkOneOf([1, -1]) }),
    question: kind({ question: checkString }, "You can't edit a question unless you are the author."),
    new_option: kind({ option: checkString, idx: checkRange(0, MAX_OPTION_INDEX) }),
  },
  todo: {
    new_task: kind({
      key: checkRange(0, MAX_OPTION_INDEX),
      task: checkString,
      desc: checkString,
      completed: checkBoolean,
    }),
    strike: kind({ key: checkString }),
    new_task_list_title: kind({ title: checkString }, "You can't edit the task list title unless you are the author."),
  },
};

const checkTyped = checkDict({ type: checkString });

/**
 * Checks what a user attaches to a message's widget. Contributions to other widgets than polls and to-do lists only
 * need to be JSON.
 * @param widget the content of the submessage that defines it; undefined if the message has none
 * @throws ApiError `BAD_REQUEST`
 */
export function checkContribution(widget: string | undefined, content: string, isAuthor: boolean): void {
  const contribution = parsed(content);
  const type = widget === undefined ? undefined : typeOf(widget);
  if (type === undefined || !Object.hasOwn(KINDS, type)) return;
  const name = `${type} data`;
  try {
    checkTyped(name, contribution);
    const contributionType = String((contribution as { readonly type: string }).type);
    const kinds = KINDS[type] ?? {};
    const meant = Object.hasOwn(kinds, contributionType) ? kinds[contributionType] : undefined;
    if (meant === undefined) throw new WidgetError(`Unknown type for ${name}: ${contributionType}`);
    if (meant.onlyAuthor !== undefined && !isAuthor) throw new WidgetError(meant.onlyAuthor);
    meant.check(name, contribution);
  } catch (error) {
    if (error instanceof WidgetError) throw badRequest(error.message);
    throw error;
  }
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw badRequest('Invalid json for submessage');
  }
}

function typeOf(widget: string): string | undefined {
  try {
    const { widget_type: type } = JSON.parse(widget);
    return typeof type === 'string' ? type : undefined;
  } catch {
    return undefined;
  }
}
