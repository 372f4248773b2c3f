/** Texts in React: texts with elements inside, and the provider that shows the app in another language. */
import { I18nProvider, Trans } from '@lingui/react';
import { Fragment, type ReactElement, type ReactNode, useSyncExternalStore } from 'react';
import { I18nProvider as AriaLocale } from 'react-aria-components/I18nProvider';
import { currentLocale, i18n, type Message, onLocaleChange } from './i18n.ts';
import { formatLocale } from './i18n-formats.ts';

type Literal<Text extends string> = string extends Text ? never : Text;

interface TextProps<Text extends string> {
  /** An ICU message with elements: `Read <guide>the guide</guide>, {name}.` */
  text: Literal<Text> | Message;
  /** What replaces the placeholders. Elements are allowed. */
  values?: Readonly<Record<string, ReactNode>>;
  /** The elements by their name in the message. Their children come from the message. */
  parts?: Readonly<Record<string, ReactElement>>;
}

/** A text with elements inside, in the language of the user. */
export function T<const Text extends string>({ text, values, parts }: TextProps<Text>): ReactNode {
  // The library would read escapes and elements in a string.
  const shown = Object.entries(values ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? <Fragment key={name}>{value}</Fragment> : value,
  ]);
  return (
    <Trans
      id={text}
      message={text.replace(/^\[[^\]]+\] /, '')}
      values={Object.fromEntries(shown)}
      components={{ ...parts }}
    />
  );
}

/** Renders its children again from the beginning when the language changes, so that no text stays in the old one. */
export function TextsProvider({ children }: { children: ReactNode }): ReactNode {
  const locale = useSyncExternalStore(onLocaleChange, currentLocale);
  return (
    <I18nProvider i18n={i18n}>
      <AriaLocale locale={formatLocale()}>
        <Fragment key={locale}>{children}</Fragment>
      </AriaLocale>
    </I18nProvider>
  );
}
