import { type ReactNode, useState } from 'react';
import { msg, t } from '../../base/i18n.ts';
import { ACCENTS, changeLook, currentLook, DENSITIES, type Look } from '../../base/look.ts';
import { FormSection } from '../../design/form.tsx';
import { Select } from '../../design/select.tsx';

const DENSITY_NAMES = { comfortable: msg('Comfortable'), compact: msg('Compact') } as const;
const ACCENT_NAMES = {
  indigo: msg('Indigo'),
  violet: msg('Violet'),
  teal: msg('Teal'),
  green: msg('Green'),
  rose: msg('Rose'),
} as const;

/** This browser only: the API has no setting for it, and a small screen needs another density than a large one. */
export function LookSection(): ReactNode {
  const [look, setLook] = useState(currentLook);
  const change = (one: Partial<Look>) => {
    changeLook(one);
    setLook(currentLook());
  };
  return (
    <FormSection title={t('In this browser')}>
      <Select
        label={t('Density')}
        description={t('Compact shows more lines at once.')}
        options={DENSITIES.map((key) => ({ key, label: t(DENSITY_NAMES[key]) }))}
        value={look.density}
        onChange={(density) => change({ density })}
      />
      <Select
        label={t('Accent colour')}
        description={t('What is chosen, links, and the most important button have it.')}
        options={ACCENTS.map((key) => ({ key, label: t(ACCENT_NAMES[key]) }))}
        value={look.accent}
        onChange={(accent) => change({ accent })}
      />
    </FormSection>
  );
}
