import type { GroupSettingUpdate, GroupSettingValue } from '@heddle/client/calls/types.ts';
import { SYSTEM_GROUPS } from '@heddle/client/model/people/roles.ts';
import { type ReactNode, useState } from 'react';
import { useModel } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useChanges } from '../base/use-changes.ts';
import { Button } from '../design/button.tsx';
import { Select } from '../design/select.tsx';
import { groupName } from '../shown/group-name.ts';
import { PartsPicker, type PermissionRule, roleGroups, shownParts, valueOfParts } from './pickers.tsx';
import { ReadOnlyValue } from './read-only.tsx';
import { valueText } from './reasons.ts';
import { SaveNote } from './save-note.tsx';
import { useAction } from './saving.ts';
import styles from './settings.module.css';

interface GroupSettingPickerProps {
  readonly label: string;
  readonly description?: string | undefined;
  readonly value: GroupSettingValue;
  readonly onChange: (value: GroupSettingValue) => void;
  readonly rule: PermissionRule | undefined;
  readonly isDisabled?: boolean;
}

/** Who has a permission: roles, groups and people, or one role if the server accepts nothing else. */
export function GroupSettingPicker(props: GroupSettingPickerProps): ReactNode {
  const { label, description, value, onChange, rule, isDisabled = false } = props;
  const model = useModel();
  useChanges(model.groups.changes);
  const roles = roleGroups(model, rule);
  if (rule?.require_system_group) {
    const nobody = rule.allowed_system_groups.includes(SYSTEM_GROUPS.nobody) || rule.allowed_system_groups.length === 0;
    const empty = rule.allow_nobody_group && nobody ? model.groups.byName(SYSTEM_GROUPS.nobody) : undefined;
    return (
      <Select
        label={label}
        {...(description !== undefined && { description })}
        options={[...roles, ...(empty ? [empty] : [])].map((group) => ({
          key: String(group.id),
          label: groupName(group),
        }))}
        value={String(value)}
        onChange={(key) => onChange(Number(key))}
        isDisabled={isDisabled}
      />
    );
  }
  return (
    <PartsPicker
      label={label}
      description={description}
      value={shownParts(model, value)}
      onChange={(parts) => onChange(valueOfParts(model, parts))}
      roles={roles}
      placeholder={t('Nobody')}
      isDisabled={isDisabled}
    />
  );
}

interface GroupSettingProps extends Omit<GroupSettingPickerProps, 'onChange' | 'isDisabled'> {
  readonly save: (change: GroupSettingUpdate) => Promise<unknown>;
  /** Why the user may not change it. */
  readonly refusal?: string | undefined;
}

/**
 * A permission with buttons while it differs from what is saved. The server refuses the change if somebody else changed
 * the permission meanwhile.
 */
export function GroupSetting({ save, refusal, description, value, ...props }: GroupSettingProps): ReactNode {
  const model = useModel();
  const [draft, setDraft] = useState<{ readonly value: GroupSettingValue; readonly before: GroupSettingValue }>();
  const action = useAction();
  const nobodyId = model.groups.byName(SYSTEM_GROUPS.nobody)?.id;
  const isRefusedEmpty = draft?.value === nobodyId && props.rule?.allow_nobody_group === false;
  const submit = async () => {
    if (draft === undefined) return;
    if (await action.run(() => save({ new: draft.value, old: draft.before }))) setDraft(undefined);
  };
  if (refusal !== undefined) {
    return (
      <ReadOnlyValue label={props.label} description={description} refusal={refusal}>
        {valueText(model, value)}
      </ReadOnlyValue>
    );
  }
  const hint = [description, isRefusedEmpty ? t('Choose at least one.') : undefined];
  return (
    <div className={styles.setting}>
      <GroupSettingPicker
        {...props}
        description={hint.filter((text) => text !== undefined).join(' ') || undefined}
        value={draft?.value ?? value}
        onChange={(next) => setDraft({ value: next, before: draft?.before ?? value })}
      />
      {draft !== undefined && (
        <div className={styles.draftActions}>
          <Button size="small" onPress={() => setDraft(undefined)}>
            {t('Cancel')}
          </Button>
          <Button
            size="small"
            kind="primary"
            isDisabled={isRefusedEmpty}
            isPending={action.isPending}
            onPress={() => void submit()}
          >
            {t('Save')}
          </Button>
        </div>
      )}
      <SaveNote action={action} />
    </div>
  );
}
