import type { ReactNode } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { submitSearch } from '../search/submit.ts';
import styles from './help.module.css';
import { HelpPage } from './help-page.tsx';
import { type SearchExample, searchExamples } from './search-examples.ts';

/** What a search can contain, with examples to try. */
export function SearchOperatorsView(): ReactNode {
  const { model } = useApp();
  return (
    <HelpPage
      current="search-operators"
      intro={t(
        'Type these conditions into the search, or choose them from its suggestions. Click an example to try it.',
      )}
    >
      {searchExamples(model)
        .filter(({ examples }) => examples.length > 0)
        .map(({ title, examples }) => (
          <table key={title} className={styles.table}>
            <caption>{t(title)}</caption>
            <thead>
              <tr className={styles.head}>
                <th scope="col" className={styles.written}>
                  {t('You type')}
                </th>
                <th scope="col">{t('It finds')}</th>
              </tr>
            </thead>
            <tbody>
              {examples.map((example) => (
                <tr key={example.text}>
                  <th scope="row">
                    <Example example={example} />
                  </th>
                  <td>{t(example.explanation)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
    </HelpPage>
  );
}

/** A link to what the search finds. The server has to look for the message of a date first. */
function Example({ example: { text, narrow } }: { readonly example: SearchExample }): ReactNode {
  const app = useApp();
  return (
    <a
      href={app.navigation.hashOf({ view: 'narrow', narrow })}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        void submitSearch(app, narrow, '');
      }}
    >
      <code className={styles.code}>{text}</code>
    </a>
  );
}
