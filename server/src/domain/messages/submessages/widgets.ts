/** Widgets that are part of a new message (public reference: polls and todo lists; `widget_content` of bots). */
import { badRequest } from '@heddle/api/errors.ts';
import { checkDict, checkList, checkString, WidgetError } from './widget-checks.ts';

/**
 * Returns the content of a new message's first submessage: from the command in its text, or from the client. Undefined
 * for an ordinary message.
 * @throws ApiError `BAD_REQUEST`: the client's data is not a widget
 */
export function widgetOf(text: string, given: string | undefined): string | undefined {
  if (given !== undefined) return checkedWidget(given);
  const widget = commanded(text);
  return widget && JSON.stringify(widget);
}

const COMMAND = /^\/(poll|todo)(?=\s|$)/;

function commanded(text: string): object | undefined {
  if (!text.startsWith('/')) return undefined;
  const kind = COMMAND.exec(text)?.[1];
  if (kind === undefined) return undefined;
  const [first = '', ...others] = text.slice(kind.length + 1).split(/\r\n|[\n\r\u2028\u2029]/);
  const title = first.trim();
  const entries = (first === '' ? [first, ...others] : others)
    .map((line) => line.trim().replace(/^\s*[-*]?\s*/, ''))
    .filter((line) => line !== '');
  const extra_data =
    kind === 'poll' ? { question: title, options: entries } : { task_list_title: title, tasks: entries.map(task) };
  return { widget_type: kind, extra_data };
}

/** A task, and its description after a colon. */
function task(entry: string): object {
  const colon = entry.indexOf(': ');
  if (colon < 0) return { task: entry.trim(), desc: '' };
  return { task: entry.slice(0, colon).trim(), desc: entry.slice(colon + 2).trim() };
}

/** The widget of a bot: buttons that send a reply for the user who presses them. */
function checkedWidget(given: string): string {
  let content: unknown;
  try {
    content = JSON.parse(given);
  } catch {
    throw badRequest('Widgets: API programmer sent invalid JSON content');
  }
  try {
    return JSON.stringify(checkedForm(content));
  } catch (error) {
    if (error instanceof WidgetError) throw badRequest(`Widgets: ${error.message}`);
    throw error;
  }
}

function checkedForm(content: unknown): object {
  if (!isObject(content)) throw new WidgetError('widget_content is not a dict');
  for (const name of ['widget_type', 'extra_data']) {
    if (!Object.hasOwn(content, name)) throw new WidgetError(`${name} is not in widget_content`);
  }
  const { widget_type: kind, extra_data: data } = content;
  if (!isObject(data)) throw new WidgetError('extra_data is not a dict');
  if (kind !== 'zform') throw new WidgetError(`unknown widget type: ${shown(kind)}`);
  if (!Object.hasOwn(data, 'type')) throw new WidgetError('zform is missing type field');
  if (data.type !== 'choices') throw new WidgetError(`unknown zform type: ${shown(data.type)}`);
  const choice = checkDict({ short_name: checkString, long_name: checkString, reply: checkString });
  checkDict({ heading: checkString, choices: checkList(choice) })('extra_data', data);
  return content;
}

/** Objects become JSON: they need not have a text. */
function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
