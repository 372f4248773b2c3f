import { badRequest } from '@heddle/api/errors.ts';
import type { Directory } from '../../directory/directory.ts';
import { type Fact, groupFact } from '../../directory/facts.ts';
import { groupRecord } from '../../directory/load.ts';
import type { Change } from '../../directory/organization.ts';
import type { GroupRecord } from '../../directory/records.ts';
import type { GroupEvent } from './events.ts';
import { checkedMembers, checkedSubgroups, storeMembers, storeSubgroups } from './membership.ts';

export interface NewGroup {
  readonly name: string;
  readonly description?: string;
  readonly members?: readonly number[];
  readonly subgroups?: readonly number[];
  readonly creatorId: number | null;
}

const MAXIMUM_NAME_LENGTH = 100;
const MAXIMUM_DESCRIPTION_LENGTH = 1024;
/** How the names of system groups, and other kinds of mentions, begin. */
const RESERVED = ['@', 'role:', 'user:', 'stream:', 'channel:'];

/**
 * Creates a group and announces it. Whether the creator may is the caller's question.
 * @throws ApiError `BAD_REQUEST`: a name that cannot be or is taken, users or groups that do not exist
 */
export async function createGroup(change: Change, group: NewGroup): Promise<GroupRecord> {
  const { db, directory, append } = change;
  const name = checkedName(directory, group.name);
  const description = group.description ?? '';
  if ([...description].length > MAXIMUM_DESCRIPTION_LENGTH) {
    throw badRequest(`description is too long (limit: ${MAXIMUM_DESCRIPTION_LENGTH} characters)`);
  }
  const members = checkedMembers(directory, group.members ?? []);
  const subgroups = checkedSubgroups(directory, group.subgroups ?? []);
  const row = await db
    .insertInto('user_groups')
    .values({
      organization_id: directory.organization.id,
      name,
      description,
      creator_id: group.creatorId,
      deactivated_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const created = groupRecord(row);
  const facts: Fact[] = [groupFact(created)];
  if (members.length > 0) {
    await storeMembers(change, created.id, members);
    facts.push({ fact: 'group-members', groupId: created.id, added: members, removed: [] });
  }
  if (subgroups.length > 0) {
    await storeSubgroups(change, created.id, subgroups);
    facts.push({ fact: 'group-subgroups', groupId: created.id, added: subgroups, removed: [] });
  }
  const body: GroupEvent = { op: 'add', group: created, members, subgroups };
  append({ type: 'user_group', audience: { to: 'everyone' }, body, facts });
  return created;
}

function checkedName(directory: Directory, text: string): string {
  const name = text.trim().normalize('NFC');
  if (name === '') throw badRequest("User group name can't be empty!");
  if ([...name].length > MAXIMUM_NAME_LENGTH) {
    throw badRequest(`User group name cannot exceed ${MAXIMUM_NAME_LENGTH} characters.`);
  }
  const prefix = RESERVED.find((start) => name.startsWith(start));
  if (prefix !== undefined) throw badRequest(`User group name cannot start with '${prefix}'.`);
  const key = name.toLowerCase();
  if (directory.groups.all.values().some((group) => group.name.toLowerCase() === key)) {
    throw badRequest(`User group '${name}' already exists.`);
  }
  return name;
}
