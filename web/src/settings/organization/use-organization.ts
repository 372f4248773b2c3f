import { type UpdateOrganizationParameters, updateOrganization } from '@heddle/client/calls/operations.ts';
import { useApp } from '../../base/app.tsx';
import { useChanges } from '../../base/use-changes.ts';
import { refusalText } from '../reasons.ts';

/** The organization, how to change it, and why the user may not. */
export function useOrganization() {
  const { model, connection } = useApp();
  useChanges(model.organization.changes);
  useChanges(model.permissions.changes);
  return {
    model,
    connection,
    settings: model.organization.settings,
    update: (change: UpdateOrganizationParameters) => updateOrganization(connection, change),
    refusal: (setting: string) => refusalText(model, model.permissions.changeOrganization(setting)),
  };
}
