import type { TopicPlace } from '@heddle/client/model/messages/places.ts';
import { isSamePlace } from '@heddle/client/model/messages/places.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useChangesOf } from '../base/use-changes.ts';
import { Banner } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { Checkbox } from '../design/checkbox.tsx';
import { Dialog } from '../design/dialog.tsx';
import { RadioGroup } from '../design/radio-group.tsx';
import { topicLabel } from '../shown/names.ts';
import { refusalText } from '../shown/refusal-text.ts';
import { countText } from './count-text.ts';
import { existingTarget, permissionOf, type Scope, useMove } from './moving.ts';
import { TargetFields } from './target-fields.tsx';
import styles from './topic-actions.module.css';
import { countMessages, type MessageCount } from './topic-messages.ts';

interface Props {
  readonly place: TopicPlace;
  /** The message that the user moves. Undefined: the whole topic. */
  readonly messageId: number | undefined;
  readonly onClose: () => void;
}

/** Moves messages to another topic or channel, renames a topic, or merges it into another one. */
export default function MoveDialog({ place, messageId, onClose }: Props): ReactNode {
  const app = useApp();
  const { model } = app;
  const [entered, setEntered] = useState(place);
  const [scope, setScope] = useState<Scope>(messageId === undefined ? 'all' : 'later');
  const [notifiesOld, setNotifyOld] = useState(false);
  const [notifiesNew, setNotifyNew] = useState(true);
  const count = useCount(place, scope === 'all' ? undefined : messageId, scope !== 'one');
  const move = useMove(place, messageId, onClose);
  // The list tells whether the target exists.
  useEffect(() => model.cache.topics.observe(entered.channelId), [model, entered.channelId]);
  useChangesOf(model.cache.topics.changesOf, entered.channelId);
  const joined = existingTarget(model, place, entered);
  const target = joined ?? entered;
  const isSame = isSamePlace(place, target) && place.topic === target.topic;
  const permission = permissionOf(model, place, target);
  const submit = (fromId?: number) => void move.run({ target, scope, notifiesOld, notifiesNew, fromId });
  return (
    <Dialog
      title={messageId === undefined ? t('Move or rename the topic') : t('Move messages')}
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('Cancel')}</Button>
          <Button
            kind="primary"
            isPending={move.isPending}
            isDisabled={isSame || !permission.allowed}
            onPress={() => submit()}
          >
            {joined ? t('Merge') : t('Move')}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        <TargetFields from={place} target={entered} onChange={setEntered} />
        {messageId !== undefined && (
          <RadioGroup
            label={t('Which messages')}
            value={scope}
            onChange={setScope}
            options={[
              { value: 'one', label: t('Only this message') },
              { value: 'later', label: t('This message and all later ones of the topic') },
              { value: 'all', label: t('All messages of the topic') },
            ]}
          />
        )}
        {scope !== 'one' && count !== undefined && <p className={styles.note}>{countText(count)}</p>}
        {joined && (
          <Banner kind="warning">
            {t('The topic “{name}” exists already. The messages join it, and cannot be told apart later.', {
              name: topicLabel(model, joined.topic).text,
            })}
          </Banner>
        )}
        {!isSame && !permission.allowed && <Banner kind="warning">{refusalText(permission)}</Banner>}
        <div>
          <Checkbox isSelected={notifiesOld} onChange={setNotifyOld}>
            {t('Leave a notice in the old topic')}
          </Checkbox>
          <Checkbox isSelected={notifiesNew} onChange={setNotifyNew}>
            {t('Leave a notice in the new topic')}
          </Checkbox>
        </div>
        {move.tooOld !== undefined && (
          <Banner
            kind="warning"
            action={
              move.tooOld.firstId !== undefined && (
                <Button size="small" onPress={() => submit(move.tooOld?.firstId)}>
                  {t('Move those')}
                </Button>
              )
            }
          >
            {t('{allowed, number} of {total, number} messages are young enough to move.', {
              allowed: move.tooOld.allowed,
              total: move.tooOld.total,
            })}
          </Banner>
        )}
        {move.problem !== undefined && <Banner kind="error">{move.problem}</Banner>}
      </div>
    </Dialog>
  );
}

/** How many messages the move concerns. */
function useCount(place: TopicPlace, fromId: number | undefined, isWanted: boolean): MessageCount | undefined {
  const app = useApp();
  const [counted, setCounted] = useState<{ readonly fromId: number | undefined; readonly result: MessageCount }>();
  useEffect(() => {
    let isCurrent = isWanted;
    // Without the number, the move is still possible.
    countMessages(app, place, fromId).then(
      (result) => isCurrent && setCounted({ fromId, result }),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [app, place, fromId, isWanted]);
  return counted?.fromId === fromId ? counted?.result : undefined;
}
