import type { ReactNode } from 'react';
import { useModel } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { MessageHtml } from '../content/message-html-view.tsx';
import { userName } from '../shown/names.ts';
import {
  BLOCK_EXAMPLES,
  COMMANDS,
  type FormattingExample,
  referenceExamples,
  TEXT_EXAMPLES,
} from './formatting-examples.ts';
import styles from './help.module.css';
import { HelpPage } from './help-page.tsx';

/** How to format messages: what one writes, and what readers see. */
export function FormattingView(): ReactNode {
  const model = useModel();
  const [channelId] = model.channels.subscribedIds;
  const names = {
    user: { id: model.ownId, name: userName(model, model.ownId) },
    channel: channelId === undefined ? undefined : model.channels.get(channelId),
  };
  return (
    <HelpPage
      current="message-formatting"
      intro={t('Messages are Markdown. The buttons below the message box write most of it for you.')}
    >
      <Examples caption={t('Text')} examples={TEXT_EXAMPLES} />
      <Examples caption={t('Code, quotes and tables')} examples={BLOCK_EXAMPLES} />
      <Examples caption={t('People, channels and times')} examples={referenceExamples(names)} />
      <table className={styles.table}>
        <caption>{t('At the beginning of a message')}</caption>
        <tbody>
          {COMMANDS.map(([markdown, explanation]) => (
            <tr key={markdown}>
              <th scope="row" className={styles.written}>
                <pre className={styles.code}>{markdown}</pre>
              </th>
              <td>{t(explanation)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </HelpPage>
  );
}

interface ExamplesProps {
  readonly caption: string;
  readonly examples: readonly FormattingExample[];
}

function Examples({ caption, examples }: ExamplesProps): ReactNode {
  return (
    <table className={styles.table}>
      <caption>{caption}</caption>
      <thead>
        <tr className={styles.head}>
          <th scope="col" className={styles.name}>
            {t('Format')}
          </th>
          <th scope="col" className={styles.written}>
            {t('You write')}
          </th>
          <th scope="col">{t('Readers see')}</th>
        </tr>
      </thead>
      <tbody>
        {examples.map(({ label, markdown, html }) => (
          <tr key={markdown}>
            <th scope="row">{t(label)}</th>
            <td>
              <pre className={styles.code}>{markdown}</pre>
            </td>
            <td>
              <MessageHtml html={html} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
