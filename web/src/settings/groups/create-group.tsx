import { createUserGroup } from '@heddle/client/calls/operations.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { Form, FormActions, FormSection } from '../../design/form.tsx';
import { TextArea, TextField } from '../../design/text-field.tsx';
import { Page } from '../page.tsx';
import { type Parts, PartsPicker } from '../pickers.tsx';
import { refusalText } from '../reasons.ts';
import { useAction } from '../saving.ts';
import { MAX_GROUP_DESCRIPTION_CHARACTERS, MAX_GROUP_NAME_CHARACTERS } from './permission-texts.ts';

/** The form of a new group. */
export function CreateGroup(): ReactNode {
  const { model, connection, navigation } = useApp();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [members, setMembers] = useState<Parts>({ groups: [], people: [model.ownId] });
  const action = useAction();
  const refusal = refusalText(model, model.permissions.groups.create());
  const isComplete = name.trim() !== '' && refusal === undefined;
  const submit = async () => {
    if (!isComplete) return;
    await action
      .run(() =>
        createUserGroup(connection, {
          name: name.trim(),
          description: description.trim(),
          members: members.people,
          subgroups: members.groups,
        }),
      )
      .then((isDone) => isDone && navigation.go({ view: 'groups', tab: 'all' }));
  };
  return (
    <Page title={t('Create group')} back={{ view: 'groups', tab: 'all' }}>
      <Form onSubmit={submit}>
        <FormSection title={t('New group')}>
          {refusal !== undefined && <Banner kind="warning">{refusal}</Banner>}
          <TextField
            label={t('Name')}
            prefix="@"
            value={name}
            onChange={setName}
            limit={MAX_GROUP_NAME_CHARACTERS}
            isRequired
            autoFocus
          />
          <TextArea
            label={t('Description')}
            value={description}
            onChange={setDescription}
            limit={MAX_GROUP_DESCRIPTION_CHARACTERS}
            rows={2}
          />
          <PartsPicker label={t('Members')} value={members} onChange={setMembers} />
        </FormSection>
        {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
        <FormActions>
          <Button onPress={() => navigation.go({ view: 'groups', tab: 'all' })}>{t('Cancel')}</Button>
          <Button kind="primary" type="submit" isDisabled={!isComplete} isPending={action.isPending}>
            {t('Create group')}
          </Button>
        </FormActions>
      </Form>
    </Page>
  );
}
