/** Actions on boards and their lists. */
import type { Delivery, Outcome } from '../../integration.ts';
import { bold, md } from '../../markdown.ts';
import { boardLink, boardOf, memberOf, rendered, telling } from './common.ts';

export const BOARD_ACTIONS: readonly (readonly [action: string, (delivery: Delivery) => Outcome])[] = [
  ['createBoard', telling((data) => md`created ${boardOf(data)}`)],
  ['copyBoard', telling((data) => md`made ${boardOf(data)} from another board`)],
  ['updateBoard', boardUpdated],
  ['addMemberToBoard', telling((data, action) => md`added ${bold(memberOf(data, action))} to ${boardOf(data)}`)],
  [
    'removeMemberFromBoard',
    telling((data, action) => md`removed ${bold(memberOf(data, action))} from ${boardOf(data)}`),
  ],
  [
    'makeAdminOfBoard',
    telling((data, action) => md`made ${bold(memberOf(data, action))} an administrator of ${boardOf(data)}`),
  ],
  [
    'makeNormalMemberOfBoard',
    telling((data, action) => md`made ${bold(memberOf(data, action))} an ordinary member of ${boardOf(data)}`),
  ],
  ['createList', telling((data) => md`added the list ${bold(data.need('list', 'name'))} to ${boardOf(data)}`)],
  ['moveListToBoard', telling((data) => md`moved the list ${bold(data.need('list', 'name'))} to ${boardOf(data)}`)],
  ['updateList', listUpdated],
];

function boardUpdated({ payload }: Delivery): Outcome {
  const data = payload.needObject('action', 'data');
  const old = data.at('old');
  if (old.at('name').raw !== undefined)
    return rendered(payload, md`renamed the board ${old.text('name')} to ${boardLink(data)}`);
  if (old.at('desc').raw !== undefined) return rendered(payload, md`changed the description of ${boardOf(data)}`);
  if (old.at('closed').raw !== undefined) {
    return rendered(payload, md`${data.isTrue('board', 'closed') ? 'closed' : 'reopened'} ${boardOf(data)}`);
  }
  return { ignored: 'updateBoard of other fields' };
}

function listUpdated({ payload }: Delivery): Outcome {
  const data = payload.needObject('action', 'data');
  const list = bold(data.need('list', 'name'));
  const old = data.at('old');
  if (old.at('name').raw !== undefined) return rendered(payload, md`renamed the list ${old.text('name')} to ${list}`);
  if (old.at('closed').raw === undefined) return { ignored: 'updateList of other fields' };
  const told = data.isTrue('list', 'closed')
    ? md`archived the list ${list}`
    : md`restored the list ${list} from the archive`;
  return rendered(payload, told);
}
