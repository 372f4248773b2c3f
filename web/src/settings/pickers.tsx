import type { GroupSettingValue } from '@heddle/client/calls/types.ts';
import type { Model } from '@heddle/client/model/model.ts';
import type { GroupRecord } from '@heddle/client/model/people/groups.ts';
import { SYSTEM_GROUPS } from '@heddle/client/model/people/roles.ts';
import type { UserRecord } from '@heddle/client/model/people/user-record.ts';
import type { ReactNode } from 'react';
import { useModel } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { matcherOf } from '../base/text-filter.ts';
import { GroupIcon } from '../design/icons.ts';
import type { Option } from '../design/list-box.tsx';
import { MultiPicker } from '../design/multi-picker.tsx';
import { groupName } from '../shown/group-name.ts';
import { userName } from '../shown/names.ts';
import { UserAvatar } from '../shown/user-mark.tsx';
import { nameOfGroup, partsOf } from './reasons.ts';

/** How many people a list of choices shows. */
const MAX_PEOPLE = 30;
const MAX_GROUPS = 20;

/** The values that a permission accepts, as the server announces them. */
export interface PermissionRule {
  readonly require_system_group: boolean;
  readonly allow_nobody_group: boolean;
  readonly allow_everyone_group: boolean;
  readonly allowed_system_groups: readonly string[];
}

/** From the most powerful role to the weakest. */
const ROLE_GROUPS = [
  SYSTEM_GROUPS.owners,
  SYSTEM_GROUPS.administrators,
  SYSTEM_GROUPS.moderators,
  SYSTEM_GROUPS.fullMembers,
  SYSTEM_GROUPS.members,
  SYSTEM_GROUPS.everyone,
] as const;

/** The groups of roles that the rule accepts, without the empty group. */
export function roleGroups(model: Model, rule: PermissionRule | undefined): readonly GroupRecord[] {
  return ROLE_GROUPS.flatMap((name) => {
    if (name === SYSTEM_GROUPS.everyone && rule?.allow_everyone_group === false) return [];
    if (rule?.require_system_group && !rule.allowed_system_groups.includes(name)) return [];
    return model.groups.byName(name) ?? [];
  });
}

/** Groups and people together, with keys that say what they are. */
export interface Parts {
  readonly groups: readonly number[];
  readonly people: readonly number[];
}

interface PartsPickerProps {
  readonly label: string;
  readonly description?: string | undefined;
  readonly value: Parts;
  readonly onChange: (value: Parts) => void;
  readonly roles?: readonly GroupRecord[];
  /** Whether a person can be chosen. */
  readonly accepts?: (user: UserRecord) => boolean;
  /** Whether a group that is not of a role can be chosen. */
  readonly acceptsGroup?: (group: GroupRecord) => boolean;
  readonly hasPeople?: boolean;
  readonly placeholder?: string;
  readonly isDisabled?: boolean;
}

/** Chooses roles, groups and people. */
export function PartsPicker(props: PartsPickerProps): ReactNode {
  const { label, description, value, onChange, roles = [], placeholder, isDisabled, hasPeople = true } = props;
  const model = useModel();
  const search = (text: string) => {
    const matches = matcherOf(text);
    const groups = model.groups.all.filter(
      (group) => !group.isSystem && !group.isDeactivated && (props.acceptsGroup?.(group) ?? true),
    );
    const accepts = (user: UserRecord) => user.isActive && !user.isSystemBot && (props.accepts?.(user) ?? true);
    return [
      ...roles.filter((group) => matches(groupName(group))).map((group) => groupOption(model, group.id, t('Roles'))),
      ...groups
        .filter(({ name }) => matches(name))
        .slice(0, MAX_GROUPS)
        .map(({ id }) => groupOption(model, id, t('Groups'))),
      ...(hasPeople ? model.users.search(text, { limit: MAX_PEOPLE, accepts }) : []).map(({ id }) =>
        personOption(model, id),
      ),
    ];
  };
  return (
    <MultiPicker
      label={label}
      value={[
        ...value.groups.map((id) => groupOption(model, id)),
        ...value.people.map((id) => personOption(model, id)),
      ]}
      onChange={(options) => onChange(partsOfKeys(options.map(({ key }) => key)))}
      search={search}
      emptyText={t('Nobody and no group has this name.')}
      {...(description !== undefined && { description })}
      {...(placeholder !== undefined && { placeholder })}
      {...(isDisabled !== undefined && { isDisabled })}
    />
  );
}

interface PeoplePickerProps extends Omit<PartsPickerProps, 'value' | 'onChange' | 'roles' | 'acceptsGroup'> {
  readonly value: readonly number[];
  readonly onChange: (userIds: readonly number[]) => void;
}

/** Chooses people. A group stands for its members, and is resolved at once. */
export function PeoplePicker({ value, onChange, ...props }: PeoplePickerProps): ReactNode {
  const model = useModel();
  const resolve = ({ groups, people }: Parts) => {
    const members = groups.flatMap((id) => [...model.groups.membersOf(id)]).filter((id) => canChoose(model, id, props));
    onChange([...new Set([...people, ...members])]);
  };
  return <PartsPicker {...props} value={{ groups: [], people: value }} onChange={resolve} />;
}

function canChoose(model: Model, userId: number, { accepts }: Pick<PartsPickerProps, 'accepts'>): boolean {
  const user = model.users.get(userId);
  return user?.isActive === true && (accepts?.(user) ?? true);
}

/** The value of a permission for these groups and people. */
export function valueOfParts(model: Model, { groups, people }: Parts): GroupSettingValue {
  const [only, another] = groups;
  if (people.length === 0 && another === undefined) {
    const nobody = model.groups.byName(SYSTEM_GROUPS.nobody)?.id;
    const single = only ?? nobody;
    if (single !== undefined) return single;
  }
  return { direct_members: people, direct_subgroups: groups };
}

/** The groups and people of a value. Nobody is empty. */
export function shownParts(model: Model, value: GroupSettingValue): Parts {
  const parts = partsOf(value);
  return { ...parts, groups: parts.groups.filter((id) => model.groups.get(id)?.name !== SYSTEM_GROUPS.nobody) };
}

function groupOption(model: Model, id: number, group?: string): Option {
  const icon = <GroupIcon aria-hidden="true" />;
  return { key: `group ${id}`, label: nameOfGroup(model, id), icon, ...(group !== undefined && { group }) };
}

function personOption(model: Model, id: number): Option {
  return {
    key: `user ${id}`,
    label: userName(model, id),
    icon: <UserAvatar userId={id} size="xs" />,
    group: t('People'),
  };
}

function partsOfKeys(keys: readonly string[]): Parts {
  const ids = (kind: string) =>
    keys.flatMap((key) => {
      const [name, id] = key.split(' ');
      return name === kind ? [Number(id)] : [];
    });
  return { groups: ids('group'), people: ids('user') };
}
