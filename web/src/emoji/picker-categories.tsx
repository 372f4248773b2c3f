import type { ReactNode } from 'react';
import { t } from '../base/i18n.ts';
import { IconButton } from '../design/icon-button.tsx';
import {
  ActivityIcon,
  AnimalIcon,
  ClockIcon,
  CustomEmojiIcon,
  EmojiIcon,
  FlagsIcon,
  FoodIcon,
  type Icon,
  ObjectIcon,
  PersonIcon,
  SymbolIcon,
  TravelIcon,
} from '../design/icons.ts';
import styles from './emoji-picker.module.css';
import type { PickerRow, Section } from './picker-rows.ts';
import { sectionName } from './section-names.ts';

const ICONS: Readonly<Record<Section, Icon>> = {
  recent: ClockIcon,
  custom: CustomEmojiIcon,
  0: EmojiIcon,
  1: PersonIcon,
  3: AnimalIcon,
  4: FoodIcon,
  5: TravelIcon,
  6: ActivityIcon,
  7: ObjectIcon,
  8: SymbolIcon,
  9: FlagsIcon,
};

interface Props {
  readonly rows: readonly PickerRow[];
  readonly onChoose: (section: Section) => void;
}

/** Buttons that lead to the sections. */
export function PickerCategories({ rows, onChoose }: Props): ReactNode {
  const sections = rows.flatMap((row) => (row.kind === 'heading' ? [row.section] : []));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div role="group" aria-label={t('Categories')} className={styles.categories}>
      {sections.map((section) => (
        <IconButton
          key={section}
          icon={ICONS[section]}
          label={sectionName(section)}
          size="small"
          placement="bottom"
          onPress={() => onChoose(section)}
        />
      ))}
    </div>
  );
}
