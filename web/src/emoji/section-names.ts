import { msg, t } from '../base/i18n.ts';
import type { Section } from './picker-rows.ts';

const NAMES = {
  recent: msg('Recently used'),
  custom: msg('Custom emoji'),
  0: msg('Smileys and emotions'),
  1: msg('People and bodies'),
  3: msg('Animals and nature'),
  4: msg('Food and drink'),
  5: msg('Travel and places'),
  6: msg('Activities'),
  7: msg('Objects'),
  8: msg('Symbols'),
  9: msg('Flags'),
} as const;

export function sectionName(section: Section): string {
  return t(NAMES[section]);
}
