import { type CSSProperties, type ReactNode, useState } from 'react';
import { t } from '../base/i18n.ts';
import styles from './avatar.module.css';
import { classes } from './classes.ts';

export type Presence = 'active' | 'idle' | 'offline';

export interface AvatarProps {
  name: string;
  /** The address of the picture. Without one, or if it cannot be loaded, the initials are shown. */
  src?: string | null | undefined;
  /** The id of the person, which gives the colour of the initials. */
  id?: number;
  /** 20, 24, 32, 36, 64 or 128 px. */
  size?: 'xs' | 's' | 'm' | 'l' | 'xl' | '2xl';
  presence?: Presence | undefined;
}

/** The picture of a person or an organization. It is decoration: the name stands beside it. A presence is named. */
export function Avatar({ name, src, id = 0, size = 'm', presence }: AvatarProps): ReactNode {
  const [failed, setFailed] = useState<string>();
  const hasPicture = typeof src === 'string' && src !== '' && src !== failed;
  // 137.5° apart, neighbouring ids have colours that are easy to tell apart.
  const hue = { '--hue': Math.round((id * 137.5) % 360) } as CSSProperties;
  return (
    <span className={classes(styles.avatar, styles[`size-${size}`])}>
      {hasPicture ? (
        <img
          className={styles.picture}
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setFailed(src)}
        />
      ) : (
        <span className={styles.initials} style={hue} aria-hidden="true">
          {initialsOf(name)}
        </span>
      )}
      {presence && <PresenceDot presence={presence} />}
    </span>
  );
}

/** Whether a person is there: a filled, half-filled or empty dot, so that it does not depend on colour. */
export function PresenceDot({ presence }: { presence: Presence }): ReactNode {
  const names = { active: t('Active'), idle: t('Idle'), offline: t('Offline') };
  return <span className={classes(styles.dot, styles[presence])} role="img" aria-label={names[presence]} />;
}

/** `AL` for Ada Lovelace, `A` for Ada. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const [first = '', last] = words.length > 1 ? [words[0], words.at(-1)] : [words[0] ?? name];
  const initial = (word: string) => [...word.replace(/^[^\p{L}\p{N}]+/u, '')][0]?.toLocaleUpperCase() ?? '';
  return initial(first) + (last === undefined ? '' : initial(last));
}
