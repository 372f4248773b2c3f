import { createInviteLink } from '@heddle/client/calls/operations.ts';
import type { InvitedRole } from '@heddle/client/calls/types.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { ROLES } from '@heddle/client/model/people/roles.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { start } from '../../base/early.ts';
import { t } from '../../base/i18n.ts';
import { formatList } from '../../base/i18n-formats.ts';
import { matcherOf } from '../../base/text-filter.ts';
import { toasts } from '../../base/toasts.ts';
import { useKept } from '../../base/use-kept.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { Checkbox } from '../../design/checkbox.tsx';
import { Form, FormActions, FormRow, FormSection } from '../../design/form.tsx';
import { CopyIcon } from '../../design/icons.ts';
import { MultiPicker } from '../../design/multi-picker.tsx';
import { Select } from '../../design/select.tsx';
import { TextArea, TextField } from '../../design/text-field.tsx';
import { isLocalHost } from '../../shown/local-host.ts';
import { channelName } from '../../shown/names.ts';
import { PartsPicker } from '../pickers.tsx';
import { useAction } from '../saving.ts';
import { type RefusedInvitations, RefusedList, sendInvitations } from './refused-invitations.tsx';
import { EXPIRIES, ROLE_NAMES, USUAL_EXPIRY_MINUTES } from './roles.ts';

const MAX_OPTIONS = 50;

/** More default channels are not named, so that the label stays short. */
const MAX_NAMED_CHANNELS = 5;

interface InviteFormProps {
  readonly way: 'mail' | 'link';
  readonly onInvited: () => void;
}

/** Whom to invite, as what, and to which channels and groups. */
export function InviteForm({ way, onInvited }: InviteFormProps): ReactNode {
  const { model, connection } = useApp();
  const [addresses, setAddresses] = useKept('invite: addresses', '');
  const [role, setRole] = useState<InvitedRole>(ROLES.member);
  const [expiry, setExpiry] = useState<number | null>(USUAL_EXPIRY_MINUTES);
  const [hasDefaults, setDefaults] = useState(model.organization.defaultChannelIds.size > 0);
  const [channelIds, setChannelIds] = useState<readonly number[]>([]);
  const [groupIds, setGroupIds] = useState<readonly number[]>([]);
  const [link, setLink] = useState<string>();
  const [refused, setRefused] = useState<RefusedInvitations>();
  const action = useAction();
  const submit = async () => {
    if (way === 'mail' && addresses.trim() === '') return;
    setLink(undefined);
    setRefused(undefined);
    const common = {
      invite_as: role,
      invite_expires_in_minutes: expiry,
      stream_ids: channelIds,
      group_ids: groupIds,
      include_realm_default_subscriptions: hasDefaults,
    };
    if (way === 'link') {
      const create = async () => setLink((await createInviteLink(connection, common)).invite_link);
      if (await action.run(create)) onInvited();
      return;
    }
    let left: RefusedInvitations | undefined;
    const isDone = await action.run(async () => {
      left = await sendInvitations(connection, { invitee_emails: addresses, ...common });
    });
    if (!isDone) return;
    setRefused(left);
    if (left?.hasSentOthers === false) return;
    // The user can correct the refused ones, and does not invite the others twice.
    setAddresses((left?.addresses ?? []).map(({ address }) => address).join(', '));
    if (left === undefined) toasts.show({ text: sentText() });
    onInvited();
  };
  const defaults = defaultsLabel(model);
  return (
    <Form onSubmit={submit}>
      <FormSection title={way === 'mail' ? t('Invite by mail') : t('Create a link')}>
        {way === 'mail' && (
          <TextArea
            label={t('Email addresses')}
            description={t('Separate several addresses by commas or line breaks.')}
            value={addresses}
            onChange={setAddresses}
            rows={2}
            isRequired
          />
        )}
        {way === 'mail' && start.sendsMails && <LocalAddressNote address={start.serverUrl} />}
        {way === 'mail' && !start.sendsMails && (
          <Banner kind="warning">
            {t(
              'This server does not send mails. It keeps them as files in the folder “mail” of its data directory, for its operator.',
            )}{' '}
            {model.permissions.invite('link').allowed
              ? t('You can invite people by link instead.')
              : t('An administrator can invite people by link instead.')}
          </Banner>
        )}
        <FormRow>
          <Select
            label={t('They join as')}
            options={ROLE_NAMES.filter(([one]) => model.permissions.inviteAs(one).allowed).map(([one, label]) => ({
              key: String(one),
              label: t(label),
            }))}
            value={String(role)}
            onChange={(key) => setRole(Number(key) as InvitedRole)}
          />
          <Select
            label={t('Expires after')}
            options={EXPIRIES.map(([minutes, label]) => ({ key: String(minutes), label: t(label) }))}
            value={String(expiry)}
            onChange={(key) => setExpiry(key === 'null' ? null : Number(key))}
          />
        </FormRow>
        <Checkbox isSelected={hasDefaults} onChange={setDefaults}>
          {defaults}
        </Checkbox>
        <ChannelsPicker label={t('More channels')} value={channelIds} onChange={setChannelIds} />
        <PartsPicker
          label={t('Groups')}
          value={{ groups: groupIds, people: [] }}
          onChange={({ groups }) => setGroupIds(groups)}
          hasPeople={false}
          acceptsGroup={(group) => model.permissions.groups.addMembers(group).allowed}
        />
        {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
        {refused !== undefined && <RefusedList refused={refused} />}
        {link !== undefined && <CreatedLink link={link} />}
        <FormActions>
          <Button
            kind="primary"
            type="submit"
            isPending={action.isPending}
            isDisabled={way === 'mail' && addresses.trim() === ''}
          >
            {way === 'mail' ? t('Send invitations') : t('Create link')}
          </Button>
        </FormActions>
      </FormSection>
    </Form>
  );
}

function sentText(): string {
  if (start.sendsMails) return t('The invitations were sent');
  return t('The server keeps the invitations as files, because it does not send mails');
}

/** Says that an address works only on this computer or in this network. */
function LocalAddressNote({ address }: { readonly address: string }): ReactNode {
  const { hostname } = new URL(address);
  if (!isLocalHost(hostname)) return null;
  return (
    <Banner kind="warning">
      {t(
        '{hostname} is a local address. People elsewhere cannot open the link. The operator of the server can give it a public address.',
        { hostname },
      )}
    </Banner>
  );
}

function CreatedLink({ link }: { readonly link: string }): ReactNode {
  return (
    <>
      <Banner
        kind="success"
        action={
          <Button size="small" icon={CopyIcon} onPress={() => void copyLink(link)}>
            {t('Copy')}
          </Button>
        }
      >
        <TextField label={t('Invitation link')} value={link} isReadOnly />
      </Banner>
      <LocalAddressNote address={link} />
    </>
  );
}

/** Copies a link, and says so. */
export async function copyLink(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    toasts.show({ text: t('The link was copied'), key: 'copied' });
  } catch {
    toasts.show({
      text: t('The browser does not allow copying. Copy the link by hand.'),
      kind: 'error',
      key: 'copied',
    });
  }
}

interface ChannelsPickerProps {
  readonly label: string;
  readonly value: readonly number[];
  readonly onChange: (channelIds: readonly number[]) => void;
}

/** Chooses channels to which the user may add people. */
function ChannelsPicker({ label, value, onChange }: ChannelsPickerProps): ReactNode {
  const { model } = useApp();
  const option = (id: number) => ({ key: String(id), label: channelName(model, id) });
  return (
    <MultiPicker
      label={label}
      value={value.map(option)}
      onChange={(options) => onChange(options.map(({ key }) => Number(key)))}
      search={(text) => possibleChannels(model, text).map(({ id }) => option(id))}
      emptyText={t('No channel has this name.')}
    />
  );
}

function possibleChannels(model: Model, text: string) {
  const matches = matcherOf(text);
  const all = [...model.channels.all.values()].filter(
    (channel) =>
      !channel.isArchived && matches(channel.name) && model.permissions.channels.addSubscribers(channel).allowed,
  );
  return all.sort((a, b) => a.name.localeCompare(b.name)).slice(0, MAX_OPTIONS);
}

/** Names the default channels. An owner who has just created a channel sees that newcomers do not get it. */
function defaultsLabel(model: Model): string {
  const ids = [...model.organization.defaultChannelIds];
  if (ids.length === 0 || ids.length > MAX_NAMED_CHANNELS) return t('Add them to the default channels');
  return t('Add them to the default channels: {channels}', {
    channels: formatList(ids.map((id) => channelName(model, id))),
  });
}
