import { dayInWords } from '../../dates.ts';
import { facts } from '../../facts.ts';
import { linkIf } from '../../git.ts';
import { type Delivery, type Rendered, wordsFor } from '../../integration.ts';
import { joined, md, quote } from '../../markdown.ts';
import { placeOf } from './common.ts';

const MILESTONE_VERBS: Readonly<Record<string, string>> = {
  close: 'closed',
  create: 'created',
  delete: 'deleted',
  reopen: 'reopened',
  update: 'updated',
};

/** The payload names no person. */
export function milestone({ payload }: Delivery): Rendered {
  const item = payload.needObject('object_attributes');
  const action = payload.text('action') || item.need('action');
  const verb = wordsFor(action, MILESTONE_VERBS, `Milestone Hook ${action}`);
  const page = payload.text('project', 'web_url');
  const hasPage = page !== '' && item.text('iid') !== '' && action !== 'delete';
  const name = linkIf(item.need('title'), hasPage ? `${page}/-/milestones/${item.text('iid')}` : '');
  const details = [
    quote(item.text('description')),
    facts([
      ['Start', dayInWords(item.text('start_date'))],
      ['Due', dayInWords(item.text('due_date'))],
    ]),
  ];
  return {
    event: `Milestone Hook ${action}`,
    topic: placeOf(payload),
    content: joined([md`Milestone ${name} was ${verb}.`, ...(action === 'create' ? details : [])], '\n\n'),
  };
}
