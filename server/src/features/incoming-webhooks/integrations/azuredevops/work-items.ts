import { type Change, changes, facts, spelledOut } from '../../facts.ts';
import { linkIf } from '../../git.ts';
import { textOfHtml } from '../../html-text.ts';
import { type Delivery, type Outcome, wordsFor } from '../../integration.ts';
import { bold, cut, joined, type Markdown, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { nameIn } from './common.ts';

const VERBS: Readonly<Record<string, string>> = {
  'workitem.created': 'created',
  'workitem.deleted': 'deleted',
  'workitem.restored': 'restored',
  'workitem.commented': 'commented on',
};

/** Fields that change with every other change, or mean nothing to people. */
const NOISE =
  /^(?:System\.(?:Rev|Watermark|PersonId|RevisedDate|ChangedDate|ChangedBy|AuthorizedDate|AuthorizedAs|History|CommentCount|BoardColumn\w*|BoardLane|AreaId|IterationId|NodeName|AreaLevel\d|IterationLevel\d)|WEF_.*|.*\.(?:\w*Date|\w*By|StackRank|BacklogPriority))$/;
/** Texts that are too long for a line. */
const LONG = /\.(?:Description|ReproSteps|AcceptanceCriteria|SystemInfo)$/;
/** Dates that people set. */
const KEPT = /\.(?:DueDate|TargetDate|StartDate|FinishDate)$/;

interface WorkItem {
  readonly name: Markdown;
  readonly topic: string;
}

/** @param of the work item, or its newest revision, whose fields are complete */
function itemOf(id: string, of: Payload, url: string): WorkItem {
  const kind = of.text('fields', 'System.WorkItemType') || 'Work item';
  const title = of.text('fields', 'System.Title');
  const name = md`${linkIf(`${kind} #${id}`, url)}${title !== '' && md` ${title}`}`;
  return { name, topic: cut(`${kind} #${id} ${title}`.trim(), 200) };
}

/** The page of the work item; the payload has the address of the API in any case. */
function urlOf(resource: Payload): string {
  const page = resource.text('_links', 'html', 'href') || resource.text('revision', '_links', 'html', 'href');
  const api = /^(https?:\/\/[^?#]*)\/_apis\/wit\/work[iI]tems\/(\d+)/.exec(resource.text('url').slice(0, 1000));
  return page || (api === null ? '' : `${api[1]}/_workitems/edit/${api[2]}`);
}

export function workItem({ payload }: Delivery): Outcome {
  const event = payload.need('eventType');
  const resource = payload.needObject('resource');
  const fields = resource.at('fields');
  const { name, topic } = itemOf(resource.need('id'), resource, event === 'workitem.deleted' ? '' : urlOf(resource));
  const actor = nameIn(fields.at('System.ChangedBy')) || nameIn(resource.at('revisedBy')) || 'Somebody';
  const head = md`${actor} ${wordsFor(event, VERBS, event)} ${name}`;
  const text =
    event === 'workitem.commented'
      ? fields.text('System.History')
      : event === 'workitem.created'
        ? fields.text('System.Description')
        : '';
  const details =
    event === 'workitem.created' &&
    facts([
      ['State', fields.text('System.State')],
      ['Assigned to', nameIn(fields.at('System.AssignedTo'))],
      ['Priority', fields.text('Microsoft.VSTS.Common.Priority')],
      ['Area', fields.text('System.AreaPath')],
      ['Iteration', fields.text('System.IterationPath')],
      ['Tags', fields.text('System.Tags')],
    ]);
  const more = joined([quote(textOfHtml(text)), details], '\n\n');
  return { event, topic, content: more.toString() === '' ? md`${head}.` : joined([md`${head}:`, more], '\n\n') };
}

export function workItemUpdated({ payload }: Delivery): Outcome {
  const resource = payload.needObject('resource');
  const id = resource.text('workItemId') || resource.need('id');
  const { name, topic } = itemOf(id, resource.at('revision'), urlOf(resource));
  const actor =
    nameIn(resource.at('revisedBy')) || nameIn(resource.at('revision', 'fields', 'System.ChangedBy')) || 'Somebody';
  const list: Change[] = [];
  const lines: Markdown[] = [];
  const isNoise = (field: string) => NOISE.test(field) && !KEPT.test(field);
  for (const [field] of resource
    .fields('fields')
    .filter(([one]) => one.length < 200 && !isNoise(one))
    .slice(0, 20)) {
    const title = spelledOut(field.slice(field.lastIndexOf('.') + 1));
    const change = resource.at('fields', field);
    const [before, after] = [nameIn(change.at('oldValue')), nameIn(change.at('newValue'))];
    if (LONG.test(field)) lines.push(md`* ${bold(title)} changed`);
    else if (before !== after) list.push({ name: title, before, after });
  }
  const comment = quote(textOfHtml(resource.text('fields', 'System.History', 'newValue')));
  const links = resource.count('relations', 'added') + resource.count('relations', 'removed');
  if (links > 0) lines.push(md`* ${links} ${links === 1 ? 'link' : 'links'} changed`);
  const told = joined([comment, joined([changes(list), ...lines], '\n')], '\n\n');
  if (told.toString() === '') return { ignored: 'workitem.updated of other fields' };
  return { event: 'workitem.updated', topic, content: joined([md`${actor} updated ${name}:`, told], '\n\n') };
}
