import type { ReactNode } from 'react';
import { useModel } from '../base/app.tsx';
import { useChanges } from '../base/use-changes.ts';
import { charactersOf, type Emoji } from './emoji.ts';
import styles from './emoji-glyph.module.css';

const EXTRA_PICTURES = '/static/generated/emoji/images/emoji/unicode/';

/** One emoji, as decoration beside its name. With the setting for text, its name. */
export function EmojiGlyph({ emoji }: { readonly emoji: Emoji }): ReactNode {
  const model = useModel();
  useChanges(model.account.changes);
  if (model.account.settings.emojiset === 'text') return <span className={styles.text}>:{emoji.name}:</span>;
  return emoji.type === 'unicode_emoji' ? <Characters emoji={emoji} /> : <Picture emoji={emoji} />;
}

function Characters({ emoji: { code, name } }: { readonly emoji: Emoji }): ReactNode {
  return (
    <span aria-hidden="true" className={styles.glyph}>
      {charactersOf(code) ?? `:${name}:`}
    </span>
  );
}

function Picture({ emoji: { type, code, name } }: { readonly emoji: Emoji }): ReactNode {
  const model = useModel();
  useChanges(model.emoji.changes);
  const custom = type === 'realm_emoji' ? model.emoji.get(code) : undefined;
  const src = type === 'realm_emoji' ? custom?.url : `${EXTRA_PICTURES}${encodeURIComponent(code)}.png`;
  if (src === undefined) return <span className={styles.text}>:{name}:</span>;
  return (
    <picture>
      {custom?.stillUrl && <source media="(prefers-reduced-motion: reduce)" srcSet={custom.stillUrl} />}
      <img className={styles.picture} src={src} alt="" loading="lazy" draggable={false} />
    </picture>
  );
}
