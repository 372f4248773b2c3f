/** Actions on cards and their checklists. */
import { moment } from '../../dates.ts';
import { linkIf } from '../../git.ts';
import type { Delivery, Outcome } from '../../integration.ts';
import { bold, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { cardLink, cardOf, memberOf, rendered, telling } from './common.ts';

export const CARD_ACTIONS: readonly (readonly [action: string, (delivery: Delivery) => Outcome])[] = [
  ['createCard', telling((data) => md`created ${cardOf(data)}${inList(data)}`)],
  [
    'copyCard',
    telling((data) => md`copied the card ${data.text('cardSource', 'name')} to ${cardOf(data)}${inList(data)}`),
  ],
  ['emailCard', telling((data) => md`created ${cardOf(data)} by mail${inList(data)}`)],
  [
    'convertToCardFromCheckItem',
    telling((data) => md`made ${cardOf(data)} from an item of ${data.text('cardSource', 'name')}`),
  ],
  ['deleteCard', telling((data) => md`deleted the card${number(data)}${inList(data)}`)],
  [
    'moveCardToBoard',
    telling((data) => md`moved ${cardOf(data)} here from the board ${data.text('boardSource', 'name')}`),
  ],
  ['updateCard', updated],
  ['commentCard', commented('commented on')],
  ['updateComment', commented('edited a comment on')],
  ['deleteComment', telling((data) => md`deleted a comment on ${cardOf(data)}`)],
  ['addMemberToCard', telling((data, action) => member('added', data, action, 'to'))],
  ['removeMemberFromCard', telling((data, action) => member('removed', data, action, 'from'))],
  ['addLabelToCard', telling((data) => md`added the label ${bold(labelOf(data))} to ${cardOf(data)}`)],
  ['removeLabelFromCard', telling((data) => md`removed the label ${bold(labelOf(data))} from ${cardOf(data)}`)],
  ['addAttachmentToCard', telling((data) => md`attached ${attachmentOf(data)} to ${cardOf(data)}`)],
  [
    'deleteAttachmentFromCard',
    telling((data) => md`removed the attachment ${data.text('attachment', 'name')} from ${cardOf(data)}`),
  ],
  ['addChecklistToCard', telling((data) => md`added the checklist ${checklistOf(data)} to ${cardOf(data)}`)],
  ['removeChecklistFromCard', telling((data) => md`removed the checklist ${checklistOf(data)} from ${cardOf(data)}`)],
  ['updateChecklist', checklistUpdated],
  [
    'createCheckItem',
    telling((data) => md`added ${itemOf(data)} to the checklist ${checklistOf(data)} of ${cardOf(data)}`),
  ],
  [
    'deleteCheckItem',
    telling((data) => md`removed ${itemOf(data)} from the checklist ${checklistOf(data)} of ${cardOf(data)}`),
  ],
  ['updateCheckItem', itemUpdated],
  ['updateCheckItemStateOnCard', telling((data) => checked(data))],
];

function inList(data: Payload) {
  const list = data.text('list', 'name');
  return list !== '' && md` in the list ${bold(list)}`;
}

function number(data: Payload) {
  const id = data.text('card', 'idShort');
  return id !== '' && md` #${id}`;
}

function labelOf(data: Payload): string {
  return data.text('label', 'name') || data.text('label', 'color') || data.text('value') || 'without a name';
}

function attachmentOf(data: Payload) {
  const url = data.text('attachment', 'url');
  return linkIf(data.text('attachment', 'name') || url || 'a file', url);
}

function checklistOf(data: Payload) {
  return bold(data.text('checklist', 'name') || 'without a name');
}

function itemOf(data: Payload) {
  return bold(data.text('checkItem', 'name') || 'an item');
}

function member(verb: string, data: Payload, action: Payload, preposition: string) {
  return md`${verb} ${bold(memberOf(data, action))} ${preposition} ${cardOf(data)}`;
}

function checked(data: Payload) {
  const isDone = data.text('checkItem', 'state') === 'complete';
  return md`${isDone ? 'checked' : 'unchecked'} ${itemOf(data)} in the checklist ${checklistOf(data)} of ${cardOf(data)}`;
}

function commented(verb: string): (delivery: Delivery) => Outcome {
  return ({ payload }) => {
    const data = payload.needObject('action', 'data');
    // An edited comment is in the action, with its old text.
    const text = quote(data.text('text') || data.text('action', 'text'));
    return rendered(payload, md`${verb} ${cardOf(data)}`, text.toString() === '' ? undefined : text);
  };
}

/** An update of one of the fields that `old` names. */
function updated({ payload }: Delivery): Outcome {
  const data = payload.needObject('action', 'data');
  const card = cardOf(data);
  const old = data.at('old');
  const isChanged = (field: string) => old.at(field).raw !== undefined;
  const [before, after] = [data.text('listBefore', 'name'), data.text('listAfter', 'name')];
  if (before !== '' || after !== '') {
    return rendered(
      payload,
      md`moved ${card}${before !== '' && md` from ${bold(before)}`}${after !== '' && md` to ${bold(after)}`}`,
    );
  }
  if (isChanged('closed')) {
    const told = data.isTrue('card', 'closed') ? md`archived ${card}` : md`restored ${card} from the archive`;
    return rendered(payload, told);
  }
  if (isChanged('name')) return rendered(payload, md`renamed the card ${old.text('name')} to ${cardLink(data)}`);
  if (isChanged('desc')) {
    const text = quote(data.text('card', 'desc'));
    if (text.toString() === '') return rendered(payload, md`removed the description of ${card}`);
    return rendered(payload, md`${old.text('desc') === '' ? 'described' : 'changed the description of'} ${card}`, text);
  }
  if (isChanged('dueComplete')) {
    return rendered(payload, md`marked ${card} as ${data.isTrue('card', 'dueComplete') ? '' : 'not '}complete`);
  }
  for (const [field, name] of [
    ['due', 'due date'],
    ['start', 'start date'],
  ] as const) {
    if (!isChanged(field)) continue;
    const date = moment(data.text('card', field));
    const told = date === undefined ? md`removed the ${name} of ${card}` : md`set the ${name} of ${card} to ${date}`;
    return rendered(payload, told);
  }
  return { ignored: 'updateCard of other fields' };
}

function checklistUpdated({ payload }: Delivery): Outcome {
  const data = payload.needObject('action', 'data');
  if (data.at('old', 'name').isMissing) return { ignored: 'updateChecklist of other fields' };
  const of = data.at('card').isMissing ? undefined : md` of ${cardOf(data)}`;
  return rendered(payload, md`renamed the checklist ${data.text('old', 'name')} to ${checklistOf(data)}${of}`);
}

function itemUpdated({ payload }: Delivery): Outcome {
  const data = payload.needObject('action', 'data');
  if (!data.at('old', 'state').isMissing) return rendered(payload, checked(data));
  if (data.at('old', 'name').isMissing) return { ignored: 'updateCheckItem of other fields' };
  const before = data.text('old', 'name');
  return rendered(
    payload,
    md`renamed ${before} to ${itemOf(data)} in the checklist ${checklistOf(data)} of ${cardOf(data)}`,
  );
}
