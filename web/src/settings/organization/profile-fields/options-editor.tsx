import type { ReactNode } from 'react';
import { t } from '../../../base/i18n.ts';
import { Button } from '../../../design/button.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { AddIcon, ArrowDownIcon, ArrowUpIcon, DeleteIcon } from '../../../design/icons.ts';
import { TextField } from '../../../design/text-field.tsx';
import styles from '../../settings.module.css';
import { type FieldOption, withNewOption } from './field-form.ts';

interface OptionsEditorProps {
  readonly options: readonly FieldOption[];
  readonly onChange: (options: readonly FieldOption[]) => void;
}

/** The options of a list in their order. */
export function OptionsEditor({ options, onChange }: OptionsEditorProps): ReactNode {
  const move = (index: number, step: 1 | -1) => {
    const option = options[index];
    if (option !== undefined) onChange(options.toSpliced(index, 1).toSpliced(index + step, 0, option));
  };
  return (
    <fieldset className={styles.options}>
      <legend>{t('Options')}</legend>
      {options.map(({ key, text }, index) => {
        const number = index + 1;
        return (
          <div key={key} className={styles.option}>
            <TextField
              label={t('Option {number}', { number })}
              isLabelHidden
              placeholder={t('Option {number}', { number })}
              value={text}
              onChange={(next) => onChange(options.with(index, { key, text: next }))}
            />
            <IconButton
              icon={ArrowUpIcon}
              label={t('Move option {number} up', { number })}
              isDisabled={index === 0}
              onPress={() => move(index, -1)}
            />
            <IconButton
              icon={ArrowDownIcon}
              label={t('Move option {number} down', { number })}
              isDisabled={index === options.length - 1}
              onPress={() => move(index, 1)}
            />
            <IconButton
              icon={DeleteIcon}
              label={t('Remove option {number}', { number })}
              isDisabled={options.length === 1}
              onPress={() => onChange(options.toSpliced(index, 1))}
            />
          </div>
        );
      })}
      <div>
        <Button size="small" icon={AddIcon} onPress={() => onChange(withNewOption(options))}>
          {t('Add an option')}
        </Button>
      </div>
    </fieldset>
  );
}
